//! Chapter 15: endgame tables, read by `alfiere-syzygy`.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::types::{Move, PieceKind};
use alfiere_syzygy::{Tablebases, Wdl};

/// The score of a position that the tables know to be won: below every mate, above every evaluation.
pub const TABLE_WIN: i32 = 20_000;

// ANCHOR: score
/// The score of a position after a capture or pawn move; `None` if it is in no table.
pub fn score(tables: &Tablebases, board: &Board) -> Option<i32> {
    // The tables count from such a move on: in other positions, the fifty-move rule may come first.
    if board.halfmove_clock() > 0 || board.occupied().count() as usize > tables.largest() {
        return None;
    }
    Some(match tables.probe_wdl(board)? {
        Wdl::Win => TABLE_WIN,
        Wdl::Loss => -TABLE_WIN,
        // A cursed win and a blessed loss are draws by the fifty-move rule.
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => 0,
    })
}
// ANCHOR_END: score

// ANCHOR: best
/// The move that keeps the result: of winning moves the one nearest to a capture, pawn move or mate, of losing moves the
/// farthest. `None` if a table is missing.
pub fn best_move(tables: &Tablebases, board: &Board) -> Option<Move> {
    if board.occupied().count() as usize > tables.largest() {
        return None;
    }
    let mut best = None;
    for mv in legal_moves(board) {
        let mut child = board.clone();
        child.play(mv);
        let mated = child.in_check() && legal_moves(&child).is_empty();
        let progress = mv.is_capture() || board.moved(mv).kind() == PieceKind::Pawn;
        let result = (-tables.probe_wdl(&child)?).value();
        let plies = match (mated, progress) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 1 + tables.probe_dtz(&child)?.abs(),
        };
        let rank = (result, -result.signum() * plies);
        if best.is_none_or(|(highest, _)| rank > highest) {
            best = Some((rank, mv));
        }
    }
    best.map(|(_, mv)| mv)
}
// ANCHOR_END: best
