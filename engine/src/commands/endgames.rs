//! Syzygy tables that adjudicate games.

use std::sync::Arc;

use alfiere_arena::game::EndgameAdjudicator;
use alfiere_chess::board::Board;
use alfiere_chess::game::GameResult;
use alfiere_syzygy::{TablebaseError, Tablebases, Wdl};

use super::progress::say;

/// Opens the tables in `path` for adjudication, and prints what was found.
pub(super) fn open(path: &str) -> Result<Arc<dyn EndgameAdjudicator>, TablebaseError> {
    let tables = Tablebases::open(path)?;
    tables.damaged().iter().for_each(|file| say(format_args!("left out: {file}")));
    say(format_args!("adjudication by endgame tables: {tables}"));
    Ok(Arc::new(SyzygyEndgames(tables)))
}

#[derive(Debug)]
struct SyzygyEndgames(Tablebases);

impl EndgameAdjudicator for SyzygyEndgames {
    /// WDL values are exact at a halfmove clock of 0. With a higher clock a draw is still a draw, as are cursed wins and
    /// blessed losses, but a win may take too many moves: it is unknown until the next capture or pawn move.
    fn result(&self, board: &Board) -> Option<GameResult> {
        if board.occupied().count() as usize > self.0.largest() {
            return None;
        }
        let side = board.side_to_move();
        match self.0.probe_wdl(board)? {
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Some(GameResult::Draw),
            _ if board.halfmove_clock() > 0 => None,
            Wdl::Win => Some(GameResult::Win(side)),
            Wdl::Loss => Some(GameResult::Win(!side)),
        }
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::types::Color;

    use super::*;

    #[test]
    fn results_respect_the_fifty_move_rule() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/syzygy");
        let endgames = SyzygyEndgames(Tablebases::open(folder).expect("tables"));
        let (white, black) = (Some(GameResult::Win(Color::White)), Some(GameResult::Win(Color::Black)));
        for (fen, expected) in [
            ("8/8/8/8/8/4k3/8/4K2R w - - 0 1", white),
            ("8/8/8/8/8/4k3/8/5K1R b - - 0 1", white),
            ("4k3/8/8/8/8/8/1r6/4K3 w - - 0 1", black),
            // A win at a higher clock is unknown, a draw is not.
            ("8/8/8/8/8/4k3/8/5K1R b - - 1 1", None),
            ("8/8/8/8/8/4k3/4p3/4K3 w - - 37 60", Some(GameResult::Draw)),
            ("4k3/8/8/8/8/8/8/4K1N1 w - - 5 60", Some(GameResult::Draw)),
            // Castling rights and unknown material.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
            ("4k3/pppp4/8/8/8/8/8/4K2R w - - 0 1", None),
            ("4k3/8/8/8/8/8/8/2B1K1N1 w - - 0 1", None),
        ] {
            assert_eq!(endgames.result(&Board::from_fen(fen).expect("valid")), expected, "{fen}");
        }
    }
}
