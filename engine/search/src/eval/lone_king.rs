//! KXK endgames: a bonus for driving the lone king to the edge, or to the right corner with bishop and knight.
//!
//! A network that has hardly seen these endings recognises the win but not the progress; a search too shallow to see
//! the mate would then run into the fifty-move rule.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Color, PieceKind, Square};

/// The lowest score of such an ending, in centipawns.
const WON: i32 = 1000;
/// For every step of the lone king from the middle (half a step towards a corner), in centipawns.
const STEP_OUT: i32 = 20;
/// For every step by which the kings are nearer than they could be, in centipawns.
const STEP_NEARER: i32 = 10;

/// Centipawns for the side to move, if one side has nothing but its king and the other has the pieces to mate it.
pub fn lone_king(board: &Board) -> Option<i32> {
    let lone = Color::ALL.into_iter().find(|&side| !board.color(side).has_several())?;
    let strong = !lone;
    let [knights, bishops, rooks, queens] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen]
        .map(|kind| board.colored(strong, kind));
    let light = (bishops & !Bitboard::DARK_SQUARES).is_some();
    let dark = (bishops & Bitboard::DARK_SQUARES).is_some();
    if rooks.is_empty() && queens.is_empty() && !(light && dark) && !(bishops.is_some() && knights.is_some()) {
        return None;
    }
    let (prey, hunter) = (board.king(lone), board.king(strong));
    let only_one_corner = rooks.is_empty() && queens.is_empty() && !(light && dark);
    let driven = if only_one_corner { 2 * towards_corner(prey, light) } else { steps_from_middle(prey) };
    let value = WON + 100 * board.material() + STEP_OUT * driven + STEP_NEARER * (7 - prey.distance(hunter) as i32);
    Some(if board.side_to_move() == strong { value } else { -value })
}

/// Files and ranks outwards from the middle: 0 to 6.
fn steps_from_middle(square: Square) -> i32 {
    let outwards = |line: usize| if line < 4 { 3 - line as i32 } else { line as i32 - 4 };
    outwards(square.file().index()) + outwards(square.rank().index())
}

/// How far from the corners in which bishop and knight cannot mate: 0 in these and on the diagonal between them, 7 in the
/// corners of the bishop's colour. So it grows along the edge, too.
fn towards_corner(square: Square, light: bool) -> i32 {
    let file = square.file().index() as i32;
    let file = if light { 7 - file } else { file };
    (7 - square.rank().index() as i32 - file).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> Option<i32> {
        lone_king(&Board::from_fen(fen).expect("a legal position"))
    }

    #[test]
    fn only_where_a_mate_can_be_forced() {
        for fen in [
            "8/8/4k3/8/8/4K3/8/7R w - - 0 1",
            "8/8/4k3/8/8/4K3/8/7Q b - - 0 1",
            "8/8/4k3/8/8/4K3/8/5BB1 w - - 0 1",
            "8/8/4k3/8/8/4K3/8/5BN1 w - - 0 1",
        ] {
            assert!(value(fen).is_some(), "{fen}");
        }
        for fen in [
            "8/8/4k3/8/8/4K3/8/5NN1 w - - 0 1",
            "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
            "8/8/4k3/8/8/2B1K3/8/6B1 w - - 0 1",
            "8/8/4k3/4p3/8/4K3/8/7R w - - 0 1",
        ] {
            assert_eq!(value(fen), None, "{fen}");
        }
    }

    #[test]
    fn the_edge_the_near_king_and_the_right_corner_are_better() {
        let middle = value("8/8/4k3/8/8/4K3/8/7R w - - 0 1");
        let edge = value("4k3/8/8/8/8/4K3/8/7R w - - 0 1");
        let edge_and_near = value("4k3/8/4K3/8/8/8/8/7R w - - 0 1");
        assert!(middle < edge && edge < edge_and_near);
        // A light-squared bishop mates on a8, not on h8.
        let right = value("k7/8/1K6/8/8/8/8/5BN1 w - - 0 1");
        let wrong = value("7k/8/6K1/8/8/8/8/5BN1 w - - 0 1");
        assert!(right > wrong);
        assert_eq!(right, value("k7/8/1K6/8/8/8/8/5BN1 b - - 0 1").map(|value| -value));
    }
}
