//! Reads the scores and results of games written by `alfiere match`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alfiere_chess::files::SourceError;
use alfiere_chess::game::ReportedScore;
use alfiere_chess::pgn::{GameCount, PgnGame, read_file};
use alfiere_chess::types::Color;
use alfiere_search::eval::{Material, WdlModel};
use thiserror::Error;

use super::OutcomeCounts;

/// Plies from the start of a game that are left to the opening.
const FIRST_PLY: u32 = 16;
/// Scores beyond this, in internal units, carry no information about the probabilities near an even game.
const MOST: f64 = 1000.0;

/// The unit of the scores in the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrittenScores {
    /// Normalised centipawns, by the WDL model of this version.
    Normalised,
    Internal,
}

#[derive(Debug, Error)]
pub enum GamesError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(
        "{}: expected finished games whose moves from ply {FIRST_PLY} on have scores as \"alfiere match --pgn\" writes \
         them, such as {{+0.31/12 0.105s}}, found {games} finished games and no such score{}",
        path.display(), remark.as_ref().map_or_else(String::new, |remark| format!("; {remark}"))
    )]
    NoScores { path: PathBuf, games: u64, remark: Option<String> },
}

#[derive(Clone, Default, Debug)]
pub struct ReadGames {
    pub counts: OutcomeCounts,
    /// Games that count.
    pub games: u64,
    /// How many of them ended by adjudication.
    pub adjudicated: u64,
    /// Games left out, by reason.
    pub left_out: BTreeMap<String, u64>,
    pub unread_scores: u64,
    /// All games that were read, and those that cannot be read.
    pub count: GameCount,
}

impl ReadGames {
    /// Adds the games of a file.
    ///
    /// # Errors
    /// If it cannot be read, or has no finished game with scores.
    pub fn add_file(&mut self, path: &Path, scores: WrittenScores) -> Result<(), GamesError> {
        let (games, positions) = (self.games, self.counts.positions());
        read_file(path, &Arc::default(), |game| {
            if let Some(game) = self.count.take(game, path) {
                self.add(&game, scores);
            }
            ControlFlow::Continue(())
        })?;
        if self.counts.positions() == positions {
            let (games, remark) = (self.games - games, self.count.remark());
            return Err(GamesError::NoScores { path: path.to_owned(), games, remark });
        }
        Ok(())
    }

    fn add(&mut self, game: &PgnGame, scores: WrittenScores) {
        let Some(result) = game.result else {
            return self.leave_out("no result");
        };
        // A result that a clock or a crash decided says nothing about the position.
        match game.tag("Termination").unwrap_or_default() {
            "" | "normal" => {}
            "adjudication" => self.adjudicated += 1,
            other => return self.leave_out(other),
        }
        self.games += 1;
        self.unread_scores += game.unread_scores.len() as u64;
        let mut board = game.start.clone();
        for played in &game.moves {
            let side = board.side_to_move();
            let ply = 2 * (u32::from(board.fullmove_number()).max(1) - 1) + u32::from(side == Color::Black);
            if let Some(ReportedScore::Centipawns(written)) = played.reported_score
                && ply >= FIRST_PLY
            {
                let material = Material::of(&board);
                let score = match scores {
                    WrittenScores::Normalised => WdlModel::CURRENT.denormalise(f64::from(written), material),
                    WrittenScores::Internal => f64::from(written),
                };
                if score.abs() <= MOST {
                    self.counts.add(score.round() as i32, material, result.points(side));
                }
            }
            board.play(played.mv);
        }
    }

    fn leave_out(&mut self, reason: &str) {
        *self.left_out.entry(reason.to_owned()).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::pgn::read_each;

    use super::*;

    #[test]
    fn positions_after_the_opening_count_for_the_side_to_move() {
        let start = "[FEN \"r3k3/8/8/8/8/8/8/R3K3 b - - 0 8\"]";
        let text = format!(
            "[Termination \"normal\"]\n{start}\n\n8... Kd7 {{+5.00/3 1s}} 9. Kd2 {{+0.10/3 1s}} Ke7 {{-0.20/3 1s}} \
             10. Ke2 {{+M4/3 1s}} Kd7 {{-90.00/3 1s}} 11. Kd2 {{1s}} 1-0\n\n\
             [Termination \"time forfeit\"]\n{start}\n\n8... Kd7 9. Kd2 {{+0.30/3 1s}} 0-1\n\n{start}\n\n8... Kd7 *\n"
        );
        let read_as = |scores| {
            let mut read = ReadGames::default();
            read_each(text.as_bytes(), |game| {
                read.add(&game.expect("a game"), scores);
                ControlFlow::Continue(())
            })
            .expect("readable");
            read
        };
        let read = read_as(WrittenScores::Internal);
        let material = Material::new(10);
        let cells: Vec<_> = read.counts.cells().map(|cell| (cell.score, cell.material, cell.results)).collect();
        assert_eq!(cells, [(-20, material, [0, 0, 1]), (10, material, [1, 0, 0])]);
        assert_eq!((read.games, read.adjudicated), (1, 0));
        let left_out: Vec<_> = read.left_out.iter().map(|(reason, &count)| (reason.as_str(), count)).collect();
        assert_eq!(left_out, [("no result", 1), ("time forfeit", 1)]);
        let turned_back = read_as(WrittenScores::Normalised);
        let even = WdlModel::CURRENT.even(material);
        let scores: Vec<_> = turned_back.counts.cells().map(|cell| cell.score).collect();
        assert_eq!(scores, [(-even / 5.0).round() as i32, (even / 10.0).round() as i32]);
    }
}
