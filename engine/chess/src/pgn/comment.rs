//! The comment of a move: formats and parses score, depth and time.

use crate::game::{PlayedMove, ReportedScore};
use crate::types::Color;

/// `+0.31/12 0.105s`, without braces; the score is from the player's point of view. `None` for opening moves.
pub(super) fn format_comment(played: &PlayedMove) -> Option<String> {
    let seconds = played.time?.as_secs_f64();
    let score = match played.report.reported_score {
        Some(ReportedScore::Centipawns(value)) => format!("{:+.2}", f64::from(value) / 100.0),
        Some(ReportedScore::Mate(moves)) if moves > 0 => format!("+M{moves}"),
        Some(ReportedScore::Mate(moves)) => format!("-M{}", moves.unsigned_abs()),
        None => return Some(format!("{seconds:.3}s")),
    };
    Some(format!("{score}/{} {seconds:.3}s", played.report.depth.unwrap_or(0)))
}

/// A text that looks like a score but cannot be read.
#[derive(Debug)]
pub struct Unreadable;

/// The score that a program that plays matches writes at the start of a comment, from the player's point of view:
/// `+0.31/12 0.105s`, `+0.31/12, 0.105s`, `+0.31 12/17 105`, `+0.31|d12` or `(Nc6) +0.31/12 105`. Zero may have no sign; a
/// mate `+M5` has no unit. TCEC's `wv=0.31`, anywhere in a comment, is from White's point of view; that of its `ev=` is
/// unknown.
pub(super) fn read_score(comment: &str, player: Color) -> Result<Option<ReportedScore>, Unreadable> {
    let value = |key: &str| comment.split([' ', ',']).find_map(|word| word.strip_prefix(key));
    if let Some(white) = value("wv=") {
        let of_white = read_value(white).ok_or(Unreadable)?;
        return Ok(Some(if player == Color::White { of_white } else { of_white.reversed() }));
    }
    if value("ev=").is_some() {
        return Err(Unreadable);
    }
    let mut words = comment.split_whitespace().skip_while(|word| word.starts_with('(') && word.ends_with(')'));
    let first = words.next().unwrap_or_default();
    let (score, depth) = match first.split_once('/').or_else(|| first.split_once("|d")) {
        Some(parts) => parts,
        None if first.contains(['.', 'M']) => {
            (first, words.next().filter(|word| word.contains('/')).unwrap_or_default())
        }
        None => return Ok(None),
    };
    let is_signed = score.starts_with(['+', '-']);
    if !depth.starts_with(|letter: char| letter.is_ascii_digit()) || !is_signed && !score.contains(['.', 'M']) {
        return Ok(None);
    }
    match read_value(score) {
        None if is_signed => Err(Unreadable),
        read => Ok(read),
    }
}

/// `+0.31`, `0.31`, `-M4`, `M4`.
fn read_value(text: &str) -> Option<ReportedScore> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let read = match unsigned.strip_prefix('M') {
        Some(moves) => moves.parse::<u16>().ok().map(|moves| ReportedScore::Mate(i32::from(moves)))?,
        // Not a second sign.
        None if unsigned.starts_with(|letter: char| letter == '.' || letter.is_ascii_digit()) => read_pawns(unsigned)?,
        None => return None,
    };
    Some(if text.starts_with('-') { read.reversed() } else { read })
}

/// The score in `[%eval 0.17]`, `[%eval #-3]` or, with a depth, `[%eval 0.17,20]`, from White's point of view. A whole
/// number with a depth is in centipawns, as `ChessBase` writes it: `[%eval 17,20]`.
///
/// # Errors
/// If there is one that cannot be read.
pub fn read_eval(comment: &str) -> Result<Option<ReportedScore>, Unreadable> {
    let Some((_, rest)) = comment.split_once("[%eval") else { return Ok(None) };
    let (text, _) = rest.split_once(']').ok_or(Unreadable)?;
    let (value, depth) = text.split_once(',').map_or((text, None), |(value, depth)| (value, Some(depth)));
    let value = value.trim();
    let read = match (value.strip_prefix('#'), depth) {
        (Some(moves), _) => moves.parse::<i16>().ok().map(|moves| ReportedScore::Mate(i32::from(moves))),
        (None, Some(_)) if !value.contains('.') => value.parse::<i32>().ok().map(ReportedScore::Centipawns),
        (None, _) => read_pawns(value),
    };
    read.map(Some).ok_or(Unreadable)
}

fn read_pawns(text: &str) -> Option<ReportedScore> {
    let pawns: f64 = text.parse().ok().filter(|pawns: &f64| pawns.abs() < 1e6)?;
    Some(ReportedScore::Centipawns((100.0 * pawns).round() as i32))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Board;
    use crate::game::SearchReport;
    use crate::movegen::parse_uci_move;

    fn written(reported_score: Option<ReportedScore>, time: Option<Duration>) -> Option<String> {
        let mv = parse_uci_move(&Board::startpos(), "e2e4").expect("legal");
        format_comment(&PlayedMove { mv, report: SearchReport { reported_score, depth: Some(7), nodes: None }, time })
    }

    fn score(comment: &str) -> Result<Option<ReportedScore>, ()> {
        read_score(comment, Color::Black).map_err(|Unreadable| ())
    }

    #[test]
    fn scores_round_trip() {
        let time = Some(Duration::from_millis(105));
        let centipawns = (-1200..=1200).chain([-31_234, 31_234]).map(ReportedScore::Centipawns);
        let mates = [-30, -1, 0, 1, 2, 120].map(ReportedScore::Mate);
        for reported_score in centipawns.chain(mates) {
            let text = written(Some(reported_score), time).expect("a comment");
            assert_eq!(score(&text), Ok(Some(reported_score)), "{text}");
        }
        assert_eq!(written(Some(ReportedScore::Centipawns(-31)), time).as_deref(), Some("-0.31/7 0.105s"));
        assert_eq!(written(Some(ReportedScore::Mate(3)), None), None);
        assert_eq!(written(Some(ReportedScore::Mate(i32::MIN)), time).as_deref(), Some("-M2147483648/7 0.105s"));
    }

    #[test]
    fn forms_of_other_programs_are_read() {
        use ReportedScore::{Centipawns, Mate};
        for (text, read) in [
            ("0.00/12 0.1s", Centipawns(0)),
            ("+1.00/10, 0.006s", Centipawns(100)),
            ("-0.98/12,", Centipawns(-98)),
            ("+0.57 17/28 583 363004", Centipawns(57)),
            ("+M3 96/4 16 35602", Mate(3)),
            ("-M4/20 1.2s, Black mates", Mate(-4)),
            ("(Nc6) +0.05/16 30", Centipawns(5)),
            ("+0.25|d22", Centipawns(25)),
            ("d=30, mt=45000, pv=e4 e5, wv=0.25, mb=+0+0+0+0+0,", Centipawns(-25)),
            ("wv=-M7", Mate(7)),
        ] {
            assert_eq!(score(text), Ok(Some(read)), "{text}");
        }
    }

    #[test]
    fn other_comments_have_no_score() {
        let timed = written(None, Some(Duration::from_millis(105))).expect("a comment");
        for text in [&timed, "", "book", "checkmate", "+0.31", "0/1 8 40000", "1/2-1/2", "+- 1/2", "+-/=", "e.g. 1/2"] {
            assert_eq!(score(text), Ok(None), "{text}");
        }
        for text in ["+x/3 1s", "+M/3 1s", "+1e99/3", "+NaN/3", "--0.3/4", "ev=0.25, d=12", "wv=?"] {
            assert_eq!(score(text), Err(()), "{text}");
        }
    }

    #[test]
    fn evals_are_read_or_refused() {
        let eval = |text| read_eval(text).map_err(|Unreadable| ());
        let forms = [("a [%eval 0.17] b", 17), ("[%eval -0.4,18]", -40), ("[%eval +2]", 200), ("[%eval -33,20]", -33)];
        for (text, centipawns) in forms {
            assert_eq!(eval(text), Ok(Some(ReportedScore::Centipawns(centipawns))), "{text}");
        }
        assert_eq!(eval("[%eval #-3]"), Ok(Some(ReportedScore::Mate(-3))));
        assert_eq!(eval("[%clk 0:10:00]"), Ok(None));
        for text in ["[%eval]", "[%eval ?]", "[%eval 0.3", "[%eval #x]", "[%eval 1e99]"] {
            assert_eq!(eval(text), Err(()), "{text}");
        }
    }
}
