use super::*;
use crate::test_samples::{row, samples};

/// The same pieces with the files mirrored.
fn turned(sample: &Row) -> Row {
    let pieces: Vec<_> = sample.pieces().map(|(piece, square)| (piece, square.mirror())).collect();
    row(sample.side_to_move(), &pieces, sample.castling_rights() != CastlingRights::NONE)
}

/// A position's features in both views, in an order of their own.
fn sorted(batch: &SparseBatch, index: usize) -> Vec<[u16; 2]> {
    let mut pairs = batch.position(index).features.as_chunks::<2>().0.to_vec();
    pairs.sort_unstable();
    pairs
}

fn filled(architecture: &str, samples: &[Row], mirror: Mirror) -> SparseBatch {
    let architecture: Architecture = architecture.parse().expect("valid");
    let picks: Vec<u32> = (0..samples.len() as u32).collect();
    let mut batch = SparseBatch::default();
    batch.fill(samples.into(), &picks, &Encoding::new(&architecture, Objective::ClippedCentipawns, 0.0), mirror);
    batch
}

#[test]
fn mirroring_flips_files_except_with_castling_rights() {
    let originals = samples(200, 5);
    let turned: Vec<Row> = originals.iter().map(turned).collect();
    let fill = |samples: &[Row], mirror| filled("dual [8] crelu x1", samples, mirror);
    let (plain, mirrored) = (fill(&originals, Mirror::Never), fill(&turned, Mirror::Never));
    let mixed = fill(&originals, Mirror::Random(9));
    let mut flips = 0;
    for (index, sample) in originals.iter().enumerate() {
        let found = sorted(&mixed, index);
        let is_plain = found == sorted(&plain, index);
        assert!(is_plain || (sample.castling_rights() == CastlingRights::NONE && found == sorted(&mirrored, index)));
        flips += usize::from(!is_plain);
    }
    assert!((20..90).contains(&flips), "{flips}");
}

#[test]
fn king_relative_inputs_are_invariant_under_mirroring() {
    let originals = alfiere_data::sample::rows(200);
    let turned: Vec<Row> = originals.iter().map(turned).collect();
    let fill = |samples: &[Row], mirror| filled("dual [8] crelu x1 kings=8", samples, mirror);
    let (plain, mirrored) = (fill(&originals, Mirror::Never), fill(&turned, Mirror::Never));
    let mixed = fill(&originals, Mirror::Random(9));
    for index in 0..200 {
        assert_eq!(sorted(&plain, index), sorted(&mirrored, index));
        assert_eq!(plain.position(index).features, mixed.position(index).features);
    }
}
