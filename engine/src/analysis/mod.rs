//! Game analysis: the evaluation of every position, judgements of moves, and better lines.
//!
//! A [`Collection`] is the games of a file, `analyst` searches their positions, `report` has their moves reviewed
//! (`alfiere_chess::review`), `annotation` formats the result. Prints nothing and opens no files except the games.

mod analyst;
mod annotation;
mod report;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::path::Path;

use alfiere_chess::board::KeyHistory;
use alfiere_chess::files::SourceError;
use alfiere_chess::game::{LONGEST_GAME, automatic_draw};
use alfiere_chess::pgn::{PgnFault, PgnGame, read_file_with_null_moves};

pub use analyst::{AnalysisError, Analyst};
pub use annotation::annotate;
pub use report::{GameReport, JudgedMove, PositionReport, ScoredLine};

#[derive(Clone, Debug)]
pub struct Game {
    pub pgn: PgnGame,
}

/// Letters of a player's or an event's name that are shown.
const LONGEST_NAME: usize = 80;

impl Game {
    pub fn position_count(&self) -> usize {
        self.pgn.moves.len() + 1
    }

    /// The draw after which the game should have ended without a claim, if moves follow it, and the number of moves
    /// before it.
    pub fn automatic_draw(&self) -> Option<(usize, &'static str)> {
        let (mut board, mut keys) = (self.pgn.start.clone(), KeyHistory::new());
        self.pgn.moves.iter().enumerate().find_map(|(plies, played)| {
            let draw = automatic_draw(&board, &keys);
            keys.push(&board);
            board.play_or_pass(played.mv);
            draw.map(|draw| (plies, draw))
        })
    }

    /// The names of White and Black; `White` and `Black` if unknown.
    pub fn players(&self) -> [String; 2] {
        ["White", "Black"].map(|name| self.known(name).unwrap_or_else(|| name.to_owned()))
    }

    /// A title with players, event, date and result.
    pub fn title(&self) -> String {
        let [white, black] = self.players();
        let year = self.known("Date").map(|date| date.split('.').next().unwrap_or(&date).to_owned());
        let event = self.known("Event").or_else(|| self.known("Site"));
        let mut title = format!("{white} – {black}");
        for part in [event, year, Some(self.result())].into_iter().flatten() {
            title.push_str(", ");
            title.push_str(&part);
        }
        title
    }

    /// The result as in PGN, `*` if unknown.
    pub fn result(&self) -> String {
        self.pgn.result.map_or_else(|| "*".to_owned(), |result| result.to_string())
    }

    /// A tag that says something, cut off after [`LONGEST_NAME`] letters.
    fn known(&self, name: &str) -> Option<String> {
        let value = self.pgn.tag(name).filter(|value| !value.is_empty() && !value.starts_with('?'))?;
        Some(match value.char_indices().nth(LONGEST_NAME) {
            Some((end, _)) => format!("{}…", &value[..end]),
            None => value.to_owned(),
        })
    }
}

#[derive(Debug, Default)]
pub struct Collection {
    /// Games that can be analysed, up to the first move that cannot be read.
    pub games: Vec<Game>,
    pub total: usize,
    /// One sentence for each game that is left out or cut off: game number, file, line and reason.
    pub faults: Vec<String>,
}

/// Reads a PGN file (optionally `.gz`); games that cannot be read are skipped.
///
/// # Errors
/// If the file cannot be opened or read to its end.
pub fn read_collection(path: &Path) -> Result<Collection, SourceError> {
    let mut collection = Collection::default();
    read_file_with_null_moves(path, |game| {
        collection.total += 1;
        let (what, fault) = match &game {
            Ok(game) => ("cut off", game.cut_off.as_ref()),
            Err(fault) => ("left out", Some(fault)),
        };
        let sentence = |fault: &PgnFault| format!("game {} {what}: {}", collection.total, fault.sentence(path));
        collection.faults.extend(fault.map(sentence));
        match game {
            Ok(pgn) if pgn.moves.len() > LONGEST_GAME => collection.faults.push(format!(
                "game {} left out: {}: found {} half-moves, expected at most {LONGEST_GAME}",
                collection.total,
                path.display(),
                pgn.moves.len()
            )),
            game => collection.games.extend(game.ok().map(|pgn| Game { pgn })),
        }
        ControlFlow::Continue(())
    })?;
    Ok(collection)
}
