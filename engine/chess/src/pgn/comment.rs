//! The comment of a move: formats and parses score, depth and time.

use crate::game::{PlayedMove, ReportedScore};

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

/// The score in a comment; `None` if the comment has another form.
pub(super) fn read_score(comment: &str) -> Option<ReportedScore> {
    let (score, depth) = comment.split_whitespace().next()?.split_once('/')?;
    let _: u32 = depth.parse().ok()?;
    let sign = match score.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    if let Some(moves) = score[1..].strip_prefix('M') {
        return Some(ReportedScore::Mate(sign * i32::from(moves.parse::<u16>().ok()?)));
    }
    let pawns: f64 = score.parse().ok().filter(|pawns: &f64| pawns.abs() < 1e6)?;
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

    #[test]
    fn scores_round_trip() {
        let time = Some(Duration::from_millis(105));
        let centipawns = (-1200..=1200).chain([-31_234, 31_234]).map(ReportedScore::Centipawns);
        let mates = [-30, -1, 0, 1, 2, 120].map(ReportedScore::Mate);
        for reported_score in centipawns.chain(mates) {
            let text = written(Some(reported_score), time).expect("a comment");
            assert_eq!(read_score(&text), Some(reported_score), "{text}");
        }
        assert_eq!(written(Some(ReportedScore::Centipawns(-31)), time).as_deref(), Some("-0.31/7 0.105s"));
        assert_eq!(written(Some(ReportedScore::Mate(3)), None), None);
        assert_eq!(written(Some(ReportedScore::Mate(i32::MIN)), time).as_deref(), Some("-M2147483648/7 0.105s"));
    }

    #[test]
    fn other_comments_have_no_score() {
        let timed = written(None, Some(Duration::from_millis(105))).expect("a comment");
        for text in [&timed, "", "book", "checkmate", "0.31/12 1s", "+0.31", "+x/3 1s", "+M/3 1s", "+1e99/3", "+NaN/3"]
        {
            assert_eq!(read_score(text), None, "{text}");
        }
    }
}
