//! The eight symmetries, over random games.

use alfiere_chess::random::Random;
use alfiere_tablut::{
    board::Board,
    geometry::{ALL_CAMPS, CASTLE, ESCAPES, Square},
    moves::{is_legal, legal_moves},
    symmetry::Symmetry,
    table::{Bound, Entry, Lookup, Table},
};

/// Positions of random games.
fn positions() -> Vec<Board> {
    let mut positions = Vec::new();
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut board = Board::default();
        while let moves @ [_, ..] = legal_moves(&board).as_slice() {
            positions.push(board.clone());
            let _ = board.make(moves[random.below(moves.len() as u64) as usize]);
        }
    }
    assert!(positions.len() > 400, "{}", positions.len());
    positions
}

#[test]
fn each_symmetry_permutes_the_squares_and_has_an_inverse() {
    for symmetry in Symmetry::all() {
        let mut reached = 0;
        for square in Square::all() {
            let image = symmetry.image(square);
            reached |= image.bit();
            assert_eq!(symmetry.inverse().image(image), square);
            for set in [ALL_CAMPS, ESCAPES, CASTLE.bit()] {
                assert_eq!(set & square.bit() != 0, set & image.bit() != 0);
            }
        }
        assert_eq!(reached.count_ones(), 81);
    }
}

#[test]
fn all_images_have_one_canonical_key() {
    for board in positions() {
        for symmetry in Symmetry::all() {
            let image = board.image(symmetry);
            assert_eq!(image.keys().canonical().0, board.keys().canonical().0);
            assert_eq!(image == board, image.keys().own() == board.keys().own());
        }
    }
}

#[test]
fn the_canonical_symmetry_leads_to_the_image_with_that_key() {
    for board in positions() {
        let (key, symmetry) = board.keys().canonical();
        assert_eq!(board.image(symmetry).keys().own(), key);
    }
}

#[test]
fn a_mapped_move_is_legal_and_leads_to_the_mapped_board() {
    let mut random = Random::new(1);
    for board in positions() {
        let moves = legal_moves(&board);
        let chosen = moves[random.below(moves.len() as u64) as usize];
        let mut after = board.clone();
        let _ = after.make(chosen);
        for symmetry in Symmetry::all() {
            let mut image = board.image(symmetry);
            assert!(is_legal(&image, chosen.image(symmetry)));
            let _ = image.make(chosen.image(symmetry));
            assert_eq!(image, after.image(symmetry));
        }
    }
}

#[test]
fn the_table_finds_every_image_and_maps_the_move() {
    let mut random = Random::new(2);
    for board in positions() {
        let moves = legal_moves(&board);
        let best = moves[random.below(moves.len() as u64) as usize];
        let entry = Entry { best, score: 12, depth: 3, bound: Bound::Exact };
        let mut table = Table::new(4, Lookup::Symmetric);
        table.store(&board, entry);
        let mut after = board.clone();
        let _ = after.make(best);
        for symmetry in Symmetry::all() {
            let mut image = board.image(symmetry);
            let found = table.probe(&image).expect("the image is found");
            assert!(is_legal(&image, found.best));
            assert_eq!((found.score, found.depth, found.bound), (12, 3, Bound::Exact));
            let _ = image.make(found.best);
            assert_eq!(image.keys().canonical().0, after.keys().canonical().0);
        }
    }
}

#[test]
fn a_plain_table_finds_only_the_position_itself() {
    for board in positions() {
        let entry = Entry { best: legal_moves(&board)[0], score: 1, depth: 1, bound: Bound::Lower };
        let mut table = Table::new(4, Lookup::Plain);
        table.store(&board, entry);
        for image in Symmetry::all().map(|symmetry| board.image(symmetry)) {
            assert_eq!(table.probe(&image), (image == board).then_some(entry));
        }
    }
}

#[test]
fn a_row_keeps_the_four_newest_entries() {
    let mut table = Table::new(0, Lookup::Plain);
    let boards: Vec<_> = positions().into_iter().take(5).collect();
    let entry = |depth| Entry { best: legal_moves(&boards[0])[0], score: 0, depth, bound: Bound::Upper };
    for board in &boards[..4] {
        table.store(board, entry(1));
    }
    table.store(&boards[0], entry(2));
    table.store(&boards[4], entry(3));
    let depths: Vec<_> = boards.iter().map(|board| table.probe(board).map(|found| found.depth)).collect();
    assert_eq!(depths, [Some(2), None, Some(1), Some(1), Some(3)]);
}
