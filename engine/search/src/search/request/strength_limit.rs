//! Limited strength: the weaknesses of a weaker player. The search itself stays the same and receives less information.
//!
//! Two weaknesses, each drawn from a seed and constant for as long as the seed is:
//! - *evaluation noise*, for one game: a random error of each piece-square value. The player errs in the same direction from move to
//!   move, and may play a whole game for a worthless square.
//! - *oversight*, for one search: some moves of some pieces are not seen, anywhere in the tree, so that a whole threat is
//!   overlooked. If each node drew again, the search would choose the lines in which its refutations happen to be hidden.
//!
//! Answers to checks and recaptures are always seen, captures more often than quiet moves, long and backward moves less
//! often, and every move less often the deeper it lies. Ratings are mapped to weaknesses in `engine/strength.rs`.

use alfiere_chess::board::Board;
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move, MoveList, Square};

use crate::search::ordering::Checks;

/// The parameters of a weaker player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weaknesses {
    /// Maximum number of iterations.
    pub horizon: u32,
    /// The probability that an ordinary quiet move two plies ahead is overlooked; it may exceed 1.
    pub oversight: f64,
    /// The standard deviation of the error of a piece-square value, in internal units.
    pub eval_noise: f64,
}

/// The weaknesses of a player in one search of one game.
#[derive(Clone, Debug)]
pub struct StrengthLimit {
    horizon: u32,
    oversight: f64,
    search_seed: u64,
    /// Errors of piece-square values in internal units, `[piece][square]`, from White's side.
    eval_noises: [[i16; 64]; 12],
    /// The sum of errors at the root: only changes from there count.
    before: i32,
}

/// The oversight from which a player may overlook even captures and checks at the root.
const SEES_NO_TACTICS: f64 = 0.5;
/// The highest probability that a move is overlooked.
const MAX_OVERLOOKED: f64 = 0.9;
/// The largest error of an evaluation in internal units: less than any mate.
const MAX_MISJUDGED: i32 = 2_000;

impl StrengthLimit {
    /// For a search of `root`. The same seeds give the same errors and oversights.
    pub fn new(weaknesses: Weaknesses, root: &Board, game_seed: u64, search_seed: u64) -> Self {
        let mut random = Random::new(game_seed);
        let eval_noises =
            std::array::from_fn(|_| std::array::from_fn(|_| eval_noise(&mut random, weaknesses.eval_noise)));
        let mut strength_limit =
            Self { horizon: weaknesses.horizon, oversight: weaknesses.oversight, search_seed, eval_noises, before: 0 };
        strength_limit.before = strength_limit.error(root);
        strength_limit
    }

    /// Maximum number of iterations.
    pub(crate) fn horizon(&self) -> u32 {
        self.horizon
    }

    /// The sum of the errors of all pieces in internal units, from White's side.
    fn error(&self, board: &Board) -> i32 {
        let eval_noise =
            |square: Square| Some(i32::from(self.eval_noises[board.piece_on(square)?.index()][square.index()]));
        board.occupied().into_iter().filter_map(eval_noise).sum()
    }

    /// The error of the evaluation in internal units, from the side to move.
    pub(crate) fn misjudgement(&self, board: &Board) -> i32 {
        let change = (self.error(board) - self.before).clamp(-MAX_MISJUDGED, MAX_MISJUDGED);
        if board.side_to_move() == Color::White { change } else { -change }
    }

    /// Whether a move `ply` plies from the root is overlooked; `before` is the target of the move before it.
    pub(crate) fn overlooks(&self, board: &Board, mv: Move, ply: usize, before: Option<Square>) -> bool {
        let chance = (self.oversight * oversight_factor(board, mv, ply, before)).min(MAX_OVERLOOKED);
        let part = u64::from(mv.to_bits()) << 8 | board.moved(mv).index() as u64;
        chance > 0.0 && Random::for_part(self.search_seed, part).chance(chance)
    }

    /// The root moves that the player considers: at least `wanted`, otherwise all.
    pub(crate) fn considered(&self, board: &Board, moves: MoveList, wanted: usize) -> MoveList {
        if board.in_check() {
            return moves;
        }
        let checks = Checks::of(board);
        let is_tactical = |mv: Move| mv.is_noisy() || checks.gives(board, mv);
        let sees_tactics = self.oversight < SEES_NO_TACTICS;
        let is_seen = |mv: Move| sees_tactics && is_tactical(mv) || !self.overlooks(board, mv, 0, None);
        let seen: MoveList = moves.iter().copied().filter(|&mv| is_seen(mv)).collect();
        if seen.len() < wanted.clamp(1, moves.len().max(1)) { moves } else { seen }
    }
}

/// About a normal distribution: the sum of twelve uniform numbers.
fn eval_noise(random: &mut Random, deviation: f64) -> i16 {
    let sum: f64 = (0..12).map(|_| random.below(1 << 20) as f64 / f64::from(1 << 20)).sum();
    ((sum - 6.0) * deviation) as i16
}

/// How easily a move is overlooked: 1 for an ordinary quiet move two plies ahead.
fn oversight_factor(board: &Board, mv: Move, ply: usize, before: Option<Square>) -> f64 {
    if before == Some(mv.target()) {
        return 0.0;
    }
    let nearness = match ply {
        0 | 1 => 0.5,
        2 => 1.0,
        _ => 1.5,
    };
    let loudness = if mv.is_noisy() { 0.6 } else { 1.0 };
    let (source, target) = (mv.source(), mv.target());
    let ranks = source.relative_to(board.side_to_move()).rank().index() as i32
        - target.relative_to(board.side_to_move()).rank().index() as i32;
    let files = source.file().index().abs_diff(target.file().index());
    let is_long = ranks.unsigned_abs() as usize > 3 || files > 3;
    let geometry = if is_long || ranks > 0 { 1.5 } else { 1.0 };
    nearness * loudness * geometry
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfiere_chess::movegen::legal_moves;

    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn strength_limit(oversight: f64, eval_noise: f64, game: u64, search: u64) -> StrengthLimit {
        let root = Board::from_fen(FEN).expect("valid");
        StrengthLimit::new(Weaknesses { horizon: 9, oversight, eval_noise }, &root, game, search)
    }

    #[test]
    fn tastes_belong_to_the_game_and_oversights_to_the_search() {
        let [first, other_search, other_game] =
            [(1, 1), (1, 2), (2, 1)].map(|(game, search)| strength_limit(0.4, 30.0, game, search));
        let board = Board::from_fen(FEN).expect("valid");
        let seen = |strength_limit: &StrengthLimit| strength_limit.considered(&board, legal_moves(&board), 1);
        assert_eq!(first.eval_noises, other_search.eval_noises);
        assert_ne!(first.eval_noises, other_game.eval_noises);
        assert_ne!(seen(&first), seen(&other_search));
        assert_eq!(seen(&first), seen(&strength_limit(0.4, 0.0, 7, 1)));
    }

    #[test]
    fn a_taste_is_for_changes_and_for_one_side_what_it_is_against_the_other() {
        let strength_limit = strength_limit(0.0, 30.0, 3, 4);
        let root = Board::from_fen(FEN).expect("valid");
        assert_eq!(strength_limit.misjudgement(&root), 0);
        let mut sum = 0.0;
        for mv in legal_moves(&root) {
            let mut child = root.clone();
            child.play(mv);
            let liked = strength_limit.misjudgement(&child);
            sum += f64::from(liked * liked);
            child.play_null();
            assert_eq!(strength_limit.misjudgement(&child), -liked);
        }
        let spread = (sum / legal_moves(&root).len() as f64).sqrt();
        assert!((25.0..65.0).contains(&spread), "two squares change, some captures: {spread}");
    }

    #[test]
    fn moves_are_overlooked_as_often_as_wanted_and_recaptures_never() {
        let board = Board::from_fen(FEN).expect("valid");
        let mv = |name: &str| alfiere_chess::movegen::parse_uci_move(&board, name).expect("legal");
        let rate = |oversight: f64, mv: Move, ply: usize, before: Option<Square>| {
            let blind = |seed: u64| strength_limit(oversight, 0.0, 0, seed).overlooks(&board, mv, ply, before);
            (0..2_000).filter(|&seed| blind(seed)).count() as f64 / 2_000.0
        };
        for (name, ply, expected) in [("a2a3", 2, 0.3), ("a2a3", 1, 0.15), ("e5d7", 2, 0.18), ("e2d1", 2, 0.45)] {
            let found = rate(0.3, mv(name), ply, None);
            assert!((found - expected).abs() < 0.05, "{name} {ply}: {found}");
        }
        assert!(rate(9.0, mv("e5d7"), 3, Square::parse("d7")) < 1e-9);
        assert!(rate(0.0, mv("e2d1"), 5, None) < 1e-9);
        assert!(rate(9.0, mv("e2d1"), 5, None) < 0.95);
    }
}
