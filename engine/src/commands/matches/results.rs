//! The results of a match, as text and as JSON.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use alfiere_arena::anchor::Anchor;
use alfiere_arena::cross_table::CrossTable;
use alfiere_arena::encounter::Encounter;
use alfiere_arena::runner::{MatchEnd, MatchSettings};
use alfiere_arena::score::{FaultCounts, MatchScore};
use alfiere_terminal::say;
use serde_json::{Value, json};

use crate::commands::{CommandResult, VERSION, numbered, write_json};

pub(super) struct Results<'a> {
    pub(super) settings: &'a MatchSettings,
    pub(super) scores: &'a [MatchScore],
    /// Ratings that are known before the games.
    pub(super) anchors: &'a [Anchor],
    /// `None` while the match is being played.
    pub(super) end: Option<MatchEnd>,
    pub(super) elapsed: Duration,
}

pub(super) fn names(settings: &MatchSettings) -> Vec<&str> {
    settings.players.iter().map(|player| player.name.as_str()).collect()
}

pub(super) fn table(settings: &MatchSettings, scores: &[MatchScore], anchors: &[Anchor]) -> CrossTable {
    let encounters: Vec<Encounter> = (settings.schedule.encounters().iter().zip(scores))
        .flat_map(|(&players, score)| Encounter::by_color(players, score.by_color))
        .collect();
    CrossTable::new(settings.players.len(), &encounters, anchors)
}

/// Today's date in UTC, year first.
pub(super) fn today(between: &str) -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    format!("{year:04}{between}{month:02}{between}{day:02}")
}

/// Year, month and day after this number of days since 1970.
const fn date(mut days: u64) -> (u64, u64, u64) {
    let (mut year, mut month) = (1970_u64, 1);
    loop {
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let length = match month {
            2 => 28 + is_leap as u64,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if days < length {
            return (year, month, days + 1);
        }
        days -= length;
        (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    }
}

impl Results<'_> {
    /// Prints the results; the last line is the summary, or the cross table comes last.
    pub(super) fn print(&self) {
        match self.end {
            Some(MatchEnd::Stopped) => say("stopped before the end"),
            Some(MatchEnd::Decided) => say("the SPRT is decided"),
            Some(MatchEnd::Complete) | None => {}
        }
        let names = names(self.settings);
        for (&[first, second], score) in self.encounters() {
            let percent = 100.0 * score.games.points() / score.games.games().max(1) as f64;
            let [white, black] = score.by_color;
            let summary = if self.is_tournament() { format!("; {}", score.summary(None)) } else { String::new() };
            say(format_args!(
                "{} - {}: {} ({percent:.1} %), White {white}, Black {black}{summary}",
                names[first], names[second], score.games
            ));
        }
        let endings: Vec<_> = self.endings().iter().map(|(name, count)| format!("{name} {count}")).collect();
        say(format_args!("endings: {}", endings.join(", ")));
        for (player, name) in names.iter().enumerate() {
            say(format_args!("{name}: {}", self.faults(player)));
        }
        if self.is_tournament() {
            table(self.settings, self.scores, self.anchors).lines(&names).iter().for_each(say);
        } else if let [score] = self.scores {
            say(score.summary(self.settings.sprt.as_ref()));
        }
    }

    /// Writes the results. For a tournament, also writes each encounter as a match to a numbered file next to `path`.
    pub(super) fn write(&self, path: &Path) -> CommandResult {
        let seconds = self.elapsed.as_secs_f64();
        let mut matches: Vec<Value> =
            self.encounters().map(|(&players, score)| self.encounter_json(players, score)).collect();
        if let [only] = matches.as_mut_slice() {
            only["seconds"] = json!(seconds);
            return write_json(path, only);
        }
        for (number, encounter) in (1..).zip(&matches) {
            write_json(&numbered(path, number), encounter)?;
        }
        let players: Vec<Value> =
            (0..self.settings.players.len()).map(|player| self.player_json(player, self.faults(player))).collect();
        let whole = json!({
            "program": VERSION,
            "date": today("-"),
            "players": players,
            "table": self.table_json(),
            "matches": matches,
            "endings": self.endings(),
            "end": self.end_json(),
            "seconds": seconds,
        });
        write_json(path, &whole)
    }

    fn is_tournament(&self) -> bool {
        self.scores.len() > 1
    }

    fn encounters(&self) -> impl Iterator<Item = (&[usize; 2], &MatchScore)> {
        self.settings.schedule.encounters().iter().zip(self.scores)
    }

    fn faults(&self, player: usize) -> FaultCounts {
        let mut sum = FaultCounts::default();
        for (players, score) in self.encounters() {
            players.iter().zip(score.faults).filter(|(other, _)| **other == player).for_each(|(_, one)| sum.merge(one));
        }
        sum
    }

    fn endings(&self) -> BTreeMap<&'static str, u64> {
        let mut sum = BTreeMap::new();
        for (name, count) in self.scores.iter().flat_map(|score| &score.endings) {
            *sum.entry(*name).or_default() += count;
        }
        sum
    }

    fn end_json(&self) -> String {
        self.end.map_or_else(|| "running".to_owned(), |end| end.to_string())
    }

    fn player_json(&self, index: usize, faults: FaultCounts) -> Value {
        let spec = &self.settings.players[index];
        let options: Vec<_> = spec.options.iter().map(|(name, value)| (name, value.to_string_lossy())).collect();
        json!({
            "name": spec.name,
            "program": spec.program.display().to_string(),
            "options": options,
            "limit": spec.limit.unwrap_or(self.settings.limit),
            "faults": faults,
        })
    }

    fn encounter_json(&self, [first, second]: [usize; 2], score: &MatchScore) -> Value {
        let sprt = self.settings.sprt;
        let estimate = score.pairs.elo();
        // JSON has no infinity: unbounded values become null.
        let finite = |value: f64| value.is_finite().then_some(value);
        json!({
            "program": VERSION,
            "date": today("-"),
            "players": [self.player_json(first, score.faults[0]), self.player_json(second, score.faults[1])],
            "games": score.games,
            "white": score.by_color[0],
            "black": score.by_color[1],
            "pentanomial": score.pairs,
            "elo": estimate.and_then(|estimate| finite(estimate.elo)),
            "error_95": estimate.and_then(|estimate| finite(estimate.error)),
            "sprt": sprt.map(|sprt| json!({
                "test": sprt,
                "llr": sprt.llr(&score.pairs),
                "bounds": sprt.bounds(),
                "verdict": sprt.verdict(&score.pairs),
            })),
            "endings": score.endings,
            "end": self.end_json(),
            "summary": score.summary(sprt.as_ref()),
        })
    }

    fn table_json(&self) -> Vec<Value> {
        let names = names(self.settings);
        let rows = table(self.settings, self.scores, self.anchors).rows;
        let row = |row: &alfiere_arena::cross_table::Row| {
            json!({
                "name": names[row.player],
                "elo": row.rating.map(|rating| rating.elo),
                "error_95": row.rating.map(|rating| rating.error),
                "games": row.games,
                "points": row.games.points(),
                "against": row.against,
            })
        };
        rows.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        let days = [0, 58, 59, 365, 11_016, 11_017, 20_787];
        let dates =
            [(1970, 1, 1), (1970, 2, 28), (1970, 3, 1), (1971, 1, 1), (2000, 2, 29), (2000, 3, 1), (2026, 11, 30)];
        assert_eq!(days.map(date), dates);
    }
}
