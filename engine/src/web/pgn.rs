//! Formats a game of the page as PGN, finished or not.

use std::time::{Duration, SystemTime};

use alfiere_chess::board::Board;
use alfiere_chess::pgn::{push_moves, push_tag};
use alfiere_chess::review::WhiteScore;

use super::game::{Ending, Game, Stage};

/// Tag values that are not part of the game.
pub(super) struct PgnNames {
    /// The names of White and Black.
    pub(super) players: [String; 2],
    /// The value of the tag `TimeControl`.
    pub(super) time_control: String,
    /// The start time.
    pub(super) began: SystemTime,
}

/// Formats the game as PGN; the result is `*` while the game continues.
pub(super) fn write_pgn(game: &Game, names: &PgnNames) -> String {
    let mut text = String::new();
    let result = game.ending().map_or_else(|| "*".to_owned(), |ending| ending.result().to_string());
    let start = &game.stages()[0].board;
    let mut tag = |name: &str, value: &str| push_tag(&mut text, name, value);
    tag("Event", "Game against Alfiere");
    tag("Site", "?");
    tag("Date", &date(names.began));
    tag("Round", "-");
    tag("White", &names.players[0]);
    tag("Black", &names.players[1]);
    tag("Result", &result);
    if *start != Board::startpos() {
        tag("SetUp", "1");
        tag("FEN", &start.to_fen());
    }
    tag("TimeControl", &names.time_control);
    if let Some(ending) = game.ending() {
        tag("Termination", termination(ending));
    }
    text.push('\n');
    let moves = game.stages().iter().filter_map(|stage| Some((stage.played.as_ref()?.mv, comment(stage))));
    let reason = game.ending().map(|ending| format!("{{{}}}", ending.reason()));
    push_moves(&mut text, start, moves, reason.into_iter().chain([result]));
    text
}

/// The evaluation of a position, and the clock of the side that moved, as in PGN.
fn comment(stage: &Stage) -> Option<String> {
    let evaluation = stage.evaluation.filter(|evaluation| !matches!(evaluation.score, WhiteScore::Checkmate(_)));
    let evaluation = evaluation.map(|evaluation| format!("[%eval {}]", evaluation.score));
    let clock = stage.clock.map(|clock| {
        let left = clock.of(!stage.board.side_to_move()).remaining().as_secs();
        format!("[%clk {}:{:02}:{:02}]", left / 3600, left / 60 % 60, left % 60)
    });
    let commands: Vec<String> = evaluation.into_iter().chain(clock).collect();
    (!commands.is_empty()).then(|| commands.join(" "))
}

fn termination(ending: &Ending) -> &'static str {
    match ending {
        Ending::Time(_) | Ending::TimeWithoutMaterial(_) => "time forfeit",
        Ending::Rules(..) => "normal",
        Ending::TooLong => "adjudication",
    }
}

/// The UTC date as in PGN, `2026.11.22`.
fn date(time: SystemTime) -> String {
    const DAY: u64 = 24 * 3600;
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let mut days = since.as_secs() / DAY;
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}.{month:02}.{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_match_the_calendar() {
        for (seconds, day) in [
            (0, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (1_709_251_199, "2024.02.29"),
            (1_709_251_200, "2024.03.01"),
            (1_767_225_599, "2025.12.31"),
        ] {
            assert_eq!(date(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)), day);
        }
    }
}
