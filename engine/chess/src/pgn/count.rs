//! Counts the games of files, and those that cannot be read.

use std::path::Path;

use crate::pgn::{PgnFault, PgnGame};

/// Number of games read from files.
#[derive(Clone, Default, Debug)]
pub struct GameCount {
    /// Games, including those cut off.
    pub games: u64,
    /// Games left out because they cannot be read.
    pub left_out: u64,
    /// Games that end before a move that cannot be read.
    pub cut_off: u64,
    /// The first that is left out or cut off: file, line and reason.
    pub first_fault: Option<String>,
}

impl GameCount {
    /// Counts a game of a file and returns it unless it is left out.
    pub fn take(&mut self, game: Result<PgnGame, PgnFault>, path: &Path) -> Option<PgnGame> {
        let (counter, fault) = match &game {
            Ok(game) => (&mut self.cut_off, game.cut_off.as_ref()),
            Err(fault) => (&mut self.left_out, Some(fault)),
        };
        if let Some(fault) = fault {
            *counter += 1;
            self.first_fault.get_or_insert_with(|| fault.sentence(path));
        }
        self.games += u64::from(game.is_ok());
        game.ok()
    }

    /// A sentence about the games that cannot be read, if there are any.
    pub fn remark(&self) -> Option<String> {
        let first = self.first_fault.as_ref()?;
        let counts = [(self.left_out, "left out"), (self.cut_off, "cut off")];
        let counts = counts.into_iter().filter(|&(count, _)| count > 0);
        let counts: Vec<String> = counts.map(|(count, how)| format!("{count} games {how}")).collect();
        Some(format!("{}, the first: {first}", counts.join(" and ")))
    }
}
