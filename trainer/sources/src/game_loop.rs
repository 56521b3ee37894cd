//! A game between searches: one loop for all self-play, whose callers decide who moves, which moves are random, and when scores
//! end a game.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{Adjudicator, GameResult, ReportedScore, end_by_rules};
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::random::Random;
use alfiere_chess::types::Move;

/// In games with stumbles, one move in this many is random.
pub(crate) const STUMBLE_EVERY: u32 = 12;

/// What follows a search.
pub(crate) enum Step {
    /// A move; the game then has this result, unless the rules of chess give it another.
    Play(Move, Option<GameResult>),
    End(GameResult),
}

/// Plays a game from a position and the keys of those before it; it is a draw after `max_plies`. `over` ends it after a move.
pub(crate) fn play_game<E>(
    (mut board, mut keys): (Board, KeyHistory),
    max_plies: u32,
    over: impl Fn(&Board, &KeyHistory) -> Option<GameResult>,
    mut step: impl FnMut(&Board, &KeyHistory) -> Result<Step, E>,
) -> Result<GameResult, E> {
    for _ in 0..max_plies {
        let (mv, ruling) = match step(&board, &keys)? {
            Step::Play(mv, ruling) => (mv, ruling),
            Step::End(result) => return Ok(result),
        };
        keys.push(&board);
        board.play(mv);
        if let Some(result) = over(&board, &keys).or(ruling) {
            return Ok(result);
        }
    }
    Ok(GameResult::Draw)
}

/// The result by the rules of chess.
pub(crate) fn by_rules(board: &Board, keys: &KeyHistory) -> Option<GameResult> {
    end_by_rules(board, keys).map(|(result, _)| result)
}

/// The result by the scores so far; this one is of the side to move.
pub(crate) fn by_scores(adjudicator: &mut Adjudicator, board: &Board, score: ReportedScore) -> Option<GameResult> {
    adjudicator.observe(board.side_to_move(), Some(score), u32::from(board.fullmove_number()))
}

/// The best move, but in one of `every` cases a random one.
pub(crate) fn best_or_random(board: &Board, best: Move, every: Option<u32>, numbers: &mut Random) -> Move {
    match every {
        Some(every) if numbers.below(u64::from(every)) == 0 => random_move(board, numbers).unwrap_or(best),
        _ => best,
    }
}

pub(crate) fn random_move(board: &Board, numbers: &mut Random) -> Option<Move> {
    let moves = legal_moves(board);
    (!moves.is_empty()).then(|| moves[numbers.below(moves.len() as u64) as usize])
}
