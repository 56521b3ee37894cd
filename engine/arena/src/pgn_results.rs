//! The results of all games in PGN files, by players and colours.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use alfiere_chess::files::SourceError;
use alfiere_chess::pgn::{GameCount, PgnGame, read_file};
use alfiere_chess::types::Color;

use super::elo::GameCounts;
use super::encounter::{Colors, Encounter};

#[derive(Clone, Debug, Default)]
pub struct PgnResults {
    names: Vec<String>,
    players: HashMap<String, usize>,
    games: BTreeMap<[usize; 2], GameCounts>,
    /// Games left out, by reason.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Games read, and those that cannot be read.
    pub count: GameCount,
}

impl PgnResults {
    /// Adds the games of a file. Games without a result or two different players, and those that cannot be read, are
    /// counted and left out. `compressed_bytes` is increased by the number of bytes read, before
    /// decompression, and `each` is called after every game.
    ///
    /// # Errors
    /// If the file cannot be opened or read to its end.
    pub fn add_file(
        &mut self,
        path: &Path,
        compressed_bytes: &Arc<AtomicU64>,
        mut each: impl FnMut(),
    ) -> Result<(), SourceError> {
        read_file(path, compressed_bytes, |game| {
            if let Some(game) = self.count.take(game, path)
                && let Err(reason) = self.add(&game)
            {
                *self.left_out.entry(reason).or_default() += 1;
            }
            each();
            ControlFlow::Continue(())
        })
    }

    fn add(&mut self, game: &PgnGame) -> Result<(), &'static str> {
        let result = game.result.ok_or("no result")?;
        let name = |color| game.tag(color).map(str::trim).filter(|name| !["", "?"].contains(name));
        let (white, black) = name("White").zip(name("Black")).ok_or("a player without a name")?;
        if white == black {
            return Err("both players have the same name");
        }
        let players = [self.player(white), self.player(black)];
        self.games.entry(players).or_default().add(result.points(Color::White));
        Ok(())
    }

    fn player(&mut self, name: &str) -> usize {
        if let Some(&player) = self.players.get(name) {
            return player;
        }
        let player = self.names.len();
        self.names.push(name.to_owned());
        self.players.insert(name.to_owned(), player);
        player
    }

    /// The players' names in order of their first game.
    pub fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// The games of each pair of players and colours, with White first.
    pub fn encounters(&self) -> Vec<Encounter> {
        let encounter = |(&players, &games)| Encounter { players, games, colors: Colors::FirstIsWhite };
        self.games.iter().map(encounter).collect()
    }

    /// All games, from White's point of view.
    pub fn total(&self) -> GameCounts {
        self.games.values().copied().sum()
    }

    /// A player's games, from its own point of view.
    pub fn of_player(&self, player: usize) -> GameCounts {
        let own = |(&[white, black], &games): (&[usize; 2], &GameCounts)| {
            (white == player).then_some(games).or((black == player).then_some(games.reversed()))
        };
        self.games.iter().filter_map(own).sum()
    }
}
