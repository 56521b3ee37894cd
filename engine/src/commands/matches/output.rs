//! Reports the games of a match as they finish: one line per game, the current score, and the PGN and result files.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use alfiere_arena::anchor::Anchor;
use alfiere_arena::cross_table::CrossTable;
use alfiere_arena::runner::{MatchObserver, MatchSettings};
use alfiere_arena::score::{FinishedGame, MatchScore};
use alfiere_chess::game::{EndReason, GameRecord};
use alfiere_chess::pgn::{GameTags, format_game};
use alfiere_chess::types::Color;
use alfiere_terminal::Progress;

use super::journal::Journal;
use super::results::{Results, names, table, today};
use crate::commands::{Failure, VERSION};

/// Prints and writes games as they finish.
pub(super) struct MatchOutput<'a> {
    settings: &'a MatchSettings,
    anchors: &'a [Anchor],
    progress: Progress,
    files: Files<'a>,
    failure: Option<Failure>,
    /// Ends the match.
    stop: &'a AtomicBool,
    started: Instant,
    quiet: bool,
}

#[derive(Default)]
pub(super) struct Files<'a> {
    pub(super) pgn: Option<(&'a Path, BufWriter<File>)>,
    pub(super) journal: Option<Journal>,
    pub(super) json: Option<&'a Path>,
}

impl<'a> MatchOutput<'a> {
    /// With `quiet`, only games lost by a fault are printed.
    pub(super) fn new(
        settings: &'a MatchSettings,
        anchors: &'a [Anchor],
        files: Files<'a>,
        stop: &'a AtomicBool,
        quiet: bool,
    ) -> Self {
        let progress = Progress::new("games", settings.schedule.games(), "games").after(settings.finished.len() as u64);
        Self { settings, anchors, progress, files, failure: None, stop, started: Instant::now(), quiet }
    }

    /// Removes the progress bar and, if the match `is_over` and all its games are written, its journal.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn finish(self, is_over: bool) -> Result<(), Failure> {
        drop(self.progress);
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if let (true, Some(journal)) = (is_over, self.files.journal) {
            journal.remove()?;
        }
        Ok(())
    }

    fn write(&mut self, game: &FinishedGame, text: &str, scores: &[MatchScore]) -> Result<(), Failure> {
        if let Some((path, file)) = &mut self.files.pgn {
            let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
            written.map_err(|error| Failure::at(path, error))?;
            // Writing to a removed file succeeds, but the games would be lost.
            if !path.try_exists()? {
                return Err(Failure::at(path, "the file was removed"));
            }
        }
        if let Some(journal) = &mut self.files.journal {
            journal.add(game)?;
        }
        let (settings, anchors) = (self.settings, self.anchors);
        let results = Results { settings, scores, anchors, end: None, elapsed: self.started.elapsed() };
        self.files.json.map_or(Ok(()), |path| results.write(path))
    }

    fn standing(&self, scores: &[MatchScore]) -> String {
        match scores {
            [score] => format!("{} | {}", score.games, score.summary(self.settings.sprt.as_ref())),
            _ => standing(&table(self.settings, scores, self.anchors), &names(self.settings)),
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

impl MatchObserver for MatchOutput<'_> {
    fn game_finished(&mut self, finished: &FinishedGame, record: &GameRecord, scores: &[MatchScore]) {
        let game = finished.game;
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
                reason => reason.to_string(),
            };
            let [white, black] = names;
            let plies = record.moves.len();
            let pairing = if scores.len() > 1 { format!("{first} - {second} ") } else { String::new() };
            self.progress.say(format_args!(
                "game {number} {white} - {black} {} {plies} plies, {reason} | {pairing}{}",
                record.result, scores[game.encounter].games
            ));
        }
        self.progress.advance(1, &self.standing(scores));
        if self.failure.is_some() {
            return;
        }
        let limits = order.map(|index| self.settings.players[index].limit.unwrap_or(self.settings.limit).to_string());
        let (date, round, notation) = (today("."), number.to_string(), self.settings.game.notation);
        let tags = GameTags { players: names, date, program: VERSION, round, limits, notation };
        if let Err(failure) = self.write(finished, &format_game(record, &tags), scores) {
            self.progress.say(format_args!("the match stops, --resume plays this game again: {failure}"));
            self.failure = Some(failure);
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
