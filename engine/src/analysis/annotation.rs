//! An annotated game as PGN: evaluations, glyphs, and better lines after inaccuracies, mistakes and blunders.
//!
//! Tags, comments and glyphs of the game are kept, except `%eval` commands, which are replaced. A move that already has
//! a glyph such as `!` or `?` keeps it, and the judgement is added as text only. Variations of the game are dropped.

use alfiere_chess::pgn::{MoveText, push_tag};
use alfiere_chess::review::{Judgement, WhiteScore};

use super::Game;
use super::report::{GameReport, JudgedMove, PositionReport};

/// Maximum number of plies of a better line.
const SHOWN_PLIES: usize = 12;
/// Glyphs up to this number (NAG) judge a move, higher ones the position.
const LAST_MOVE_GLYPH: u8 = 6;

/// Formats the game as PGN with a final empty line; `annotator` is the value of the `Annotator` tag if the game has
/// none.
pub fn annotate(game: &Game, report: &GameReport, annotator: &str) -> String {
    let mut text = String::new();
    for (name, value) in &game.pgn.tags {
        push_tag(&mut text, name, value);
    }
    if game.pgn.tag("Annotator").is_none() {
        push_tag(&mut text, "Annotator", annotator);
    }
    text.push('\n');
    let mut words = MoveText::default();
    for comment in &game.pgn.preface {
        words.push_comment(&without_evaluation(comment));
    }
    let mut board = game.pgn.start.clone();
    for (index, (played, judged)) in game.pgn.moves.iter().zip(&report.moves).enumerate() {
        words.push_move(&board, played.mv);
        played.glyphs.iter().for_each(|glyph| words.push_word(format!("${glyph}")));
        let is_judged_already = played.glyphs.iter().any(|glyph| (1..=LAST_MOVE_GLYPH).contains(glyph));
        if let Some(judgement) = judged.review.judgement
            && !is_judged_already
        {
            words.push_word(format!("${}", judgement.glyph()));
        }
        for comment in &played.comments {
            words.push_comment(&without_evaluation(comment));
        }
        let (before, after) = (&report.positions[index], &report.positions[index + 1]);
        words.push_comment(&engine_comment(judged, before, after));
        if judged.review.judgement.is_some() {
            let is_one = before.others.is_empty();
            for line in before.lines().filter(|line| line.moves.first() != Some(&played.mv)) {
                let value = if is_one { String::new() } else { format!("[%eval {}]", line.value) };
                words.push_variation(&board, line.moves.into_iter().take(SHOWN_PLIES), &value);
            }
        }
        board.play_or_pass(played.mv);
    }
    words.push_word(game.result());
    words.finish(&mut text);
    text
}

fn engine_comment(judged: &JudgedMove, before: &PositionReport, after: &PositionReport) -> String {
    let evaluation = match after.evaluation.score {
        WhiteScore::Checkmate(_) => None,
        value => Some(format!("[%eval {value}]")),
    };
    let words = judged.review.judgement.zip(judged.better.as_ref()).map(|(judgement, better)| {
        format!(
            "{} ({} → {}): {better} was better.",
            capitalised(judgement),
            before.evaluation.score,
            after.evaluation.score
        )
    });
    [evaluation, words].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn capitalised(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "Inaccuracy",
        Judgement::Mistake => "Mistake",
        Judgement::Blunder => "Blunder",
    }
}

/// Removes the evaluation of another program from a comment.
fn without_evaluation(comment: &str) -> String {
    let mut text = comment.to_owned();
    while let Some(first) = text.find("[%eval")
        && let Some(length) = text[first..].find(']')
    {
        text.replace_range(first..=first + length, "");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
