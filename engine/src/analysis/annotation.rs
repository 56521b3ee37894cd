//! An annotated game as PGN: evaluations, glyphs, and better lines after inaccuracies, mistakes and blunders.
//!
//! Tags, comments and glyphs of the game are kept, except `%eval` commands, which are replaced. A move that already has
//! a glyph such as `!` or `?` keeps it, and the judgement is added as text only. Variations of the game are dropped.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{format_san, is_legal};
use alfiere_chess::pgn::{push_tag, push_wrapped};
use alfiere_chess::review::{Judgement, WhiteScore};
use alfiere_chess::types::{Color, Move};

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
    let mut words = Vec::new();
    for comment in &game.pgn.preface {
        push_comment(&mut words, &without_evaluation(comment));
    }
    let mut board = game.pgn.start.clone();
    for (index, (played, judged)) in game.pgn.moves.iter().zip(&report.moves).enumerate() {
        let is_interrupted = words.last().is_none_or(|word: &String| word.ends_with(['}', ')']));
        push_number(&mut words, &board, is_interrupted);
        words.push(judged.san.clone());
        words.extend(played.glyphs.iter().map(|glyph| format!("${glyph}")));
        let is_judged_already = played.glyphs.iter().any(|glyph| (1..=LAST_MOVE_GLYPH).contains(glyph));
        if let Some(judgement) = judged.judgement
            && !is_judged_already
        {
            words.push(format!("${}", judgement.glyph()));
        }
        for comment in &played.comments {
            push_comment(&mut words, &without_evaluation(comment));
        }
        let (before, after) = (&report.positions[index], &report.positions[index + 1]);
        push_comment(&mut words, &engine_comment(judged, before, after));
        if judged.judgement.is_some() {
            let is_one = before.others.is_empty();
            for line in before.lines().filter(|line| line.moves.first() != Some(&played.mv)) {
                push_variation(&mut words, &board, &line.moves, (!is_one).then_some(line.value));
            }
        }
        board.play_or_pass(played.mv);
    }
    words.push(game.result());
    push_wrapped(&mut text, &words);
    text
}

fn engine_comment(judged: &JudgedMove, before: &PositionReport, after: &PositionReport) -> String {
    let evaluation = match after.evaluation.score {
        WhiteScore::Checkmate(_) => None,
        value => Some(format!("[%eval {value}]")),
    };
    let words = judged.judgement.zip(judged.better.as_ref()).map(|(judgement, better)| {
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

/// Appends a comment as words that may be wrapped; commands in square brackets are not split.
fn push_comment(words: &mut Vec<String>, comment: &str) {
    // A comment to the end of the line may contain braces.
    let comment = comment.replace(['{', '}'], "");
    if comment.is_empty() {
        return;
    }
    let mut depth = 0_usize;
    let pieces = comment.split(|letter: char| {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ' ' && depth == 0
    });
    let first = words.len();
    words.extend(pieces.map(str::to_owned));
    words[first].insert(0, '{');
    if let Some(last) = words.last_mut() {
        last.push('}');
    }
}

/// Appends a line in parentheses, with its evaluation if given.
fn push_variation(words: &mut Vec<String>, board: &Board, line: &[Move], value: Option<WhiteScore>) {
    let mut board = board.clone();
    let first = words.len();
    for &mv in line.iter().take(SHOWN_PLIES) {
        if !is_legal(&board, mv) {
            break;
        }
        let is_first = words.len() == first;
        push_number(words, &board, is_first || words.last().is_some_and(|word| word.ends_with('}')));
        words.push(format_san(&board, mv));
        if is_first && let Some(value) = value {
            push_comment(words, &format!("[%eval {value}]"));
        }
        board.play(mv);
    }
    if words.len() > first {
        words[first].insert(0, '(');
        if let Some(last) = words.last_mut() {
            last.push(')');
        }
    }
}

/// Appends the move number before a White move, and before a Black move after an interruption.
fn push_number(words: &mut Vec<String>, board: &Board, is_interrupted: bool) {
    match board.side_to_move() {
        Color::White => words.push(format!("{}.", board.fullmove_number())),
        Color::Black if is_interrupted => words.push(format!("{}...", board.fullmove_number())),
        Color::Black => {}
    }
}
