//! Writes finished games as PGN, with score, depth and time in a comment after each move.

use std::fmt::Write;

use crate::board::Board;
use crate::game::{EndReason, Fault, GameRecord};
use crate::movegen::{CastlingNotation, format_san};
use crate::pgn::comment::format_comment;
use crate::types::{Color, Move};

/// The `Event` tag of the games of a match.
pub(super) const EVENT: &str = "Alfiere match";
/// Maximum length of a line of moves.
const LINE_WIDTH: usize = 100;

/// Tag values that are not part of the game record.
#[derive(Clone, Debug)]
pub struct GameTags<'a> {
    /// The names of White and Black.
    pub players: [&'a str; 2],
    /// Pair number and game within the pair, such as `12.2`.
    pub round: String,
    /// The search limits of White and Black.
    pub limits: [String; 2],
    /// The notation of castling in this match.
    pub notation: CastlingNotation,
}

/// Formats the game as PGN, with a final empty line.
pub fn format_game(record: &GameRecord, tags: &GameTags<'_>) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| push_tag(&mut text, name, value);
    tag("Event", EVENT);
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &tags.round);
    tag("White", tags.players[0]);
    tag("Black", tags.players[1]);
    tag("Result", &record.result.to_string());
    if tags.notation == CastlingNotation::Chess960 {
        tag("Variant", "Chess960");
    }
    if record.start != Board::startpos() {
        tag("SetUp", "1");
        tag("FEN", &record.start.to_fen());
    }
    tag("WhiteTimeControl", &tags.limits[0]);
    tag("BlackTimeControl", &tags.limits[1]);
    tag("PlyCount", &record.moves.len().to_string());
    tag("Termination", termination(&record.reason));
    text.push('\n');
    let moves = record.moves.iter().map(|played| (played.mv, format_comment(played)));
    let ending = [format!("{{{}}}", record.reason.to_string().replace(['{', '}'], "")), record.result.to_string()];
    push_moves(&mut text, &record.start, moves, ending);
    text
}

/// Appends a tag line.
pub fn push_tag(text: &mut String, name: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
}

fn termination(reason: &EndReason) -> &'static str {
    match reason {
        EndReason::Fault(_, Fault::TimeLoss { .. }) => "time forfeit",
        EndReason::Fault(_, Fault::IllegalMove { .. }) => "rules infraction",
        EndReason::Fault(..) => "abandoned",
        EndReason::Adjudication | EndReason::EndgameTables | EndReason::MaxPlies => "adjudication",
        _ => "normal",
    }
}

/// Appends the moves from `start` with their comments, then the words of `ending`, and an empty line.
pub fn push_moves(
    text: &mut String,
    start: &Board,
    moves: impl Iterator<Item = (Move, Option<String>)>,
    ending: impl IntoIterator<Item = String>,
) {
    let mut board = start.clone();
    let mut words = Vec::new();
    for (index, (mv, comment)) in moves.enumerate() {
        match board.side_to_move() {
            Color::White => words.push(format!("{}.", board.fullmove_number())),
            Color::Black if index == 0 => words.push(format!("{}...", board.fullmove_number())),
            Color::Black => {}
        }
        words.push(format_san(&board, mv));
        words.extend(comment.map(|comment| format!("{{{comment}}}")));
        board.play(mv);
    }
    words.extend(ending);
    push_wrapped(text, &words);
}

/// Appends words in wrapped lines, and an empty line.
pub fn push_wrapped(text: &mut String, words: &[String]) {
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > LINE_WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        width += word.len();
        text.push_str(word);
    }
    text.push_str("\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameResult, PlayedMove, ReportedScore, SearchReport};
    use crate::movegen::parse_uci_move;
    use crate::pgn::read_all;
    use std::time::Duration;

    #[test]
    fn games_round_trip() {
        let start = Board::from_fen("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7").expect("valid");
        let mut board = start.clone();
        let mut moves = Vec::new();
        for (index, text) in ["e7e5", "e1f2", "e8e7"].into_iter().enumerate() {
            let mv = parse_uci_move(&board, text).expect("legal");
            board.play(mv);
            let report =
                SearchReport { reported_score: Some(ReportedScore::Centipawns(-31)), depth: Some(12), nodes: None };
            moves.push(PlayedMove { mv, report, time: (index > 0).then_some(Duration::from_millis(105)) });
        }
        let fault = Fault::TimeLoss { used: Duration::from_secs(2), allowed: Duration::from_secs(1) };
        let reason = EndReason::Fault(Color::White, fault);
        let record = GameRecord { start, moves, result: GameResult::Win(Color::Black), reason };
        let tags = GameTags {
            players: ["a \"b\"", "c"],
            round: "1.1".to_owned(),
            limits: ["1+0.01".to_owned(), "5 nodes".to_owned()],
            notation: CastlingNotation::Standard,
        };
        let text = format_game(&record, &tags);
        assert!(text.contains("[White \"a \\\"b\\\"\"]") && text.contains("[Termination \"time forfeit\"]"), "{text}");
        assert!(text.contains("7... e5 8. Kf2 {-0.31/12 0.105s} Ke7 {-0.31/12 0.105s}"), "{text}");
        let games = read_all(&text);
        let [game] = games.as_slice() else { panic!("{games:?}") };
        assert_eq!((&game.start, game.result), (&record.start, Some(record.result)));
        assert_eq!(game.tag("Termination"), Some("time forfeit"));
        for (read, written) in game.moves.iter().zip(&record.moves) {
            // The first move is an opening move without a comment.
            assert_eq!((read.mv, read.reported_score), (written.mv, written.time.and(written.report.reported_score)));
        }
        assert_eq!(game.moves.len(), record.moves.len());
    }
}
