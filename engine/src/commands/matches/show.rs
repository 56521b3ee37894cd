//! Games of a match as they are finished: a line for each, the standing, the PGN file.

use std::fs::File;
use std::io::{BufWriter, Write};

use alfiere_arena::cross_table::CrossTable;
use alfiere_arena::runner::{MatchObserver, MatchSettings};
use alfiere_arena::schedule::ScheduledGame;
use alfiere_arena::score::MatchScore;
use alfiere_chess::game::{EndReason, GameRecord};
use alfiere_chess::pgn::{GameTags, format_game};
use alfiere_chess::types::Color;

use super::results::{names, table};
use crate::commands::progress::Progress;

/// Prints and writes games as they are finished.
pub(super) struct Show<'a> {
    settings: &'a MatchSettings,
    progress: Progress,
    pgn: Option<BufWriter<File>>,
    write_error: Option<std::io::Error>,
    quiet: bool,
}

impl<'a> Show<'a> {
    /// Writes the games to `pgn`; `quiet` leaves out the lines of games that ended as games should.
    pub(super) fn new(settings: &'a MatchSettings, pgn: Option<BufWriter<File>>, quiet: bool) -> Self {
        let progress = Progress::new(settings.schedule.games(), "games");
        Self { settings, progress, pgn, write_error: None, quiet }
    }

    /// Takes the bar away; what kept games from being written.
    pub(super) fn finish(self) -> Option<std::io::Error> {
        self.progress.finish();
        self.write_error
    }

    /// How it stands, in a few words.
    fn standing(&self, scores: &[MatchScore]) -> String {
        match scores {
            [score] => format!("{} | {}", score.games, score.claim(self.settings.sprt.as_ref())),
            _ => standing(&table(self.settings, scores), &names(self.settings)),
        }
    }
}

/// `new +35, old +3, other -38`.
fn standing(table: &CrossTable, names: &[&str]) -> String {
    let words = table.rows.iter().map(|row| {
        let rating = row.rating.map_or_else(String::new, |rating| format!(" {:+.0}", rating.elo));
        format!("{}{rating}", names[row.player])
    });
    words.collect::<Vec<_>>().join(", ")
}

impl MatchObserver for Show<'_> {
    fn game_finished(&mut self, game: ScheduledGame, record: &GameRecord, scores: &[MatchScore]) {
        let mut order = self.settings.schedule.encounters()[game.encounter];
        let [first, second] = order.map(|index| self.settings.players[index].name.as_str());
        let number = game.number;
        if number.first_player_color() == Color::Black {
            order.reverse();
        }
        let names = order.map(|index| self.settings.players[index].name.as_str());
        let is_fault = matches!(record.reason, EndReason::Fault(..));
        if !self.quiet || is_fault {
            let reason = match &record.reason {
                EndReason::Fault(side, fault) => format!("{} {fault}", names[side.index()]),
                EndReason::Resignation(side) => format!("{} resigns", names[side.index()]),
                reason => reason.to_string(),
            };
            let [white, black] = names;
            let plies = record.moves.len();
            let pairing = if scores.len() > 1 { format!("{first} - {second} ") } else { String::new() };
            self.progress.print(format_args!(
                "game {number} {white} - {black} {} {plies} plies, {reason} | {pairing}{}",
                record.result, scores[game.encounter].games
            ));
        }
        self.progress.advance(1, &self.standing(scores));
        if let Some(file) = &mut self.pgn {
            let limits =
                order.map(|index| self.settings.players[index].limit.unwrap_or(self.settings.limit).to_string());
            let tags =
                GameTags { players: names, round: number.to_string(), limits, notation: self.settings.game.notation };
            let written = file.write_all(format_game(record, &tags).as_bytes()).and_then(|()| file.flush());
            if let Err(error) = written {
                self.pgn = None;
                self.progress.print(format_args!("the games cannot be written any more: {error}"));
                self.write_error = Some(error);
            }
        }
    }
}
