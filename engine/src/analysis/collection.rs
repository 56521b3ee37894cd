//! The games of a PGN file that can be analysed, and why the others cannot.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;

use alfiere_chess::book::BookGamesError;
use alfiere_chess::files::open;
use alfiere_chess::pgn::{PgnError, PgnGame, read_each, tag};

/// Values of the tag `Variant` whose rules are those of chess, in lower case.
const PLAYED_HERE: [&str; 8] =
    ["standard", "chess", "normal", "from position", "chess960", "chess 960", "fischerandom", "fischerrandom"];

/// A game to analyse.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) pgn: PgnGame,
}

/// Letters of a player's or an event's name that are shown.
const LONGEST_NAME: usize = 80;

impl Game {
    /// How many positions it has, the first and the last among them.
    pub fn position_count(&self) -> usize {
        self.pgn.moves.len() + 1
    }

    /// Whether it has variations, which an annotated game will not have.
    pub fn had_variations(&self) -> bool {
        self.pgn.had_variations
    }

    /// White's and Black's name, `White` and `Black` where they are not known.
    pub fn players(&self) -> [String; 2] {
        ["White", "Black"].map(|name| self.known(name).unwrap_or_else(|| name.to_owned()))
    }

    /// Who against whom, where, when and how it ended.
    pub fn title(&self) -> String {
        let [white, black] = self.players();
        let year = self.known("Date").map(|date| date.split('.').next().unwrap_or(&date).to_owned());
        let place = self.known("Event").or_else(|| self.known("Site"));
        let mut title = format!("{white} – {black}");
        for part in [place, year, Some(self.result())].into_iter().flatten() {
            title.push_str(", ");
            title.push_str(&part);
        }
        title
    }

    /// The result as PGN writes it, `*` for none.
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

/// What a file holds.
#[derive(Debug, Default)]
pub struct Collection {
    /// Games that were read.
    pub games: Vec<Game>,
    /// A sentence for each game that was not: file, line or number of the game, and why.
    pub faults: Vec<String>,
}

/// Reads a PGN file, also `.gz`; games that cannot be read do not keep the others from being read.
///
/// # Errors
/// If the file cannot be opened, or not be read to its end.
pub fn read_collection(path: &Path) -> Result<Collection, BookGamesError> {
    let mut collection = Collection::default();
    let mut number = 0;
    let other_rules = |tags: &[(String, String)], number: usize| {
        let variant = tag(tags, "Variant").filter(|name| !PLAYED_HERE.contains(&name.to_ascii_lowercase().as_str()))?;
        Some(format!("{}, game {number}: found variant \"{variant}\", expected Standard or Chess960", path.display()))
    };
    let read = read_each(BufReader::new(open(path)?), |game| {
        number += 1;
        let tags = match &game {
            Ok(game) => &game.tags,
            Err(fault) => &fault.tags,
        };
        match (other_rules(tags, number), game) {
            (Some(fault), _) => collection.faults.push(fault),
            (None, Err(fault)) => collection.faults.push(format!("game {number}: {}", fault.sentence(path))),
            (None, Ok(pgn)) => collection.games.push(Game { pgn }),
        }
        ControlFlow::Continue(())
    });
    read.map_err(PgnError::in_file(path))?;
    Ok(collection)
}
