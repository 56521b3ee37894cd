//! The tokens of PGN text, read line by line.

use std::borrow::Cow;
use std::ops::ControlFlow;

use crate::game::GameResult;

/// The text of the token of a null move, whatever the game writes.
pub const NULL_MOVE: &str = "--";

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    Tag(&'a str, String),
    /// A comment's words with single spaces; empty comments are left out.
    Comment(String),
    /// A comment that has no end, which began in this line; its text is lost.
    OpenComment(usize),
    /// A numeric annotation glyph, written as `$14` or as the suffix of a move.
    Glyph(u8),
    /// `(`.
    VariationStart,
    /// `)`.
    VariationEnd,
    /// A move without its number and suffix, with plain dashes.
    Move(&'a str),
    /// A result; `None` for `*`.
    Result(Option<GameResult>),
    /// A line without text outside comments.
    BlankLine,
}

/// Splits lines of PGN into tokens.
///
/// Control characters are read as spaces, because they would reach terminals and make pictures malformed. Text in
/// brackets that is no tag is skipped. A comment without an end ends at the next line that starts with `[Event "`.
#[derive(Default, Debug)]
pub(super) struct Tokenizer {
    line: usize,
    /// The open comment: the line where it began, and its text so far.
    comment: Option<(usize, String)>,
}

impl Tokenizer {
    /// The number of the last line that was read, from 1.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Reads a line, with or without its end, and calls `each` with the line's number and each token until it returns
    /// `Break`. Carriage returns end lines too, as in old files.
    pub(super) fn read_line(
        &mut self,
        text: &str,
        mut each: impl FnMut(usize, Token<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let text = text.trim_end_matches('\n').trim_end_matches('\r').trim_start_matches('\u{feff}');
        for line in text.split('\r') {
            self.line += 1;
            let number = self.line;
            self.read_part(&without_controls(line), &mut |token| each(number, token))?;
        }
        ControlFlow::Continue(())
    }

    /// Ends the text: an open comment is reported.
    pub(super) fn finish(&mut self, mut each: impl FnMut(usize, Token<'_>)) {
        if let Some((line, _)) = self.comment.take() {
            each(self.line, Token::OpenComment(line));
        }
    }

    fn read_part(&mut self, line: &str, each: &mut impl FnMut(Token<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        if line.starts_with("[Event \"")
            && let Some((begin, _)) = self.comment.take()
        {
            each(Token::OpenComment(begin))?;
        }
        // A line of a comment can be blank or begin with a percent sign.
        if self.comment.is_none() && line.trim_ascii().is_empty() {
            return each(Token::BlankLine);
        }
        if self.comment.is_none() && line.starts_with('%') {
            return ControlFlow::Continue(());
        }
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            if let Some((_, comment)) = &mut self.comment {
                let (text, after) = rest.split_once('}').map_or((rest, None), |(text, after)| (text, Some(after)));
                push_words(comment, text);
                let Some(after) = after else { break };
                rest = after;
                if let Some((_, comment)) = self.comment.take().filter(|(_, comment)| !comment.is_empty()) {
                    each(Token::Comment(comment))?;
                }
                continue;
            }
            rest = match first {
                '[' => read_tag(rest, each)?,
                '{' => {
                    self.comment = Some((self.line, String::new()));
                    &rest[1..]
                }
                ';' => {
                    let mut comment = String::new();
                    push_words(&mut comment, &rest[1..]);
                    return if comment.is_empty() { ControlFlow::Continue(()) } else { each(Token::Comment(comment)) };
                }
                '(' => {
                    each(Token::VariationStart)?;
                    &rest[1..]
                }
                ')' => {
                    each(Token::VariationEnd)?;
                    &rest[1..]
                }
                _ if first.is_whitespace() || "]}".contains(first) => &rest[first.len_utf8()..],
                _ => {
                    let (word, after) = rest.split_at(word_length(rest));
                    read_word(&with_plain_dashes(word), each)?;
                    after
                }
            };
        }
        ControlFlow::Continue(())
    }
}

/// Adds the words of a text, separated by single spaces.
fn push_words(comment: &mut String, text: &str) {
    for word in text.split_whitespace() {
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(word);
    }
}

fn without_controls(line: &str) -> Cow<'_, str> {
    if line.contains(char::is_control) { line.replace(char::is_control, " ").into() } else { line.into() }
}

/// Reads `[Name "value"]`, in which quotes and backslashes of the value are escaped, up to its closing bracket; without
/// one to the end of the line. Returns the text after it.
fn read_tag<'a>(text: &'a str, each: &mut impl FnMut(Token<'_>) -> ControlFlow<()>) -> ControlFlow<(), &'a str> {
    let rest = &text[1..];
    let name_end = rest.find(['"', ']']).unwrap_or(rest.len());
    let Some(quoted) = rest[name_end..].strip_prefix('"') else { return ControlFlow::Continue(&rest[name_end..]) };
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    let end = loop {
        match letters.next() {
            Some((at, '"')) => break at + 1,
            Some((_, '\\')) => value.extend(letters.next().map(|(_, letter)| letter)),
            Some((_, letter)) => value.push(letter),
            None => break quoted.len(),
        }
    };
    each(Token::Tag(rest[..name_end].trim(), value))?;
    ControlFlow::Continue(quoted[end..].split_once(']').map_or("", |(_, after)| after))
}

/// The length of the word at the start of a text; the piece of `a8(Q)` is part of it, the result in `Qxe5#1-0` is not.
fn word_length(text: &str) -> usize {
    if text.starts_with('*') {
        return 1;
    }
    let mut others = text.char_indices().skip(1);
    let ends_move = |end: usize| {
        let results = ["1-0", "0-1", "1/2", "½"];
        text[..end].ends_with(['+', '#', '!', '?']) && results.iter().any(|result| text[end..].starts_with(result))
    };
    let end = others
        .find(|&(end, letter)| letter.is_whitespace() || "{}();[]$*".contains(letter) || ends_move(end))
        .map_or(text.len(), |(end, _)| end);
    match text.as_bytes()[end..] {
        [b'(', piece, b')', ..] if b"NBRQnbrq".contains(&piece) && text[..end].ends_with(['1', '8', '=']) => end + 3,
        _ => end,
    }
}

/// A word with ASCII hyphens, points, halves, crosses and marks in place of typographic ones.
pub(super) fn with_plain_dashes(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return word.into();
    }
    let mut plain = String::with_capacity(word.len());
    for letter in word.chars() {
        match letter {
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ad}' => plain.push('-'),
            '…' => plain.push_str("..."),
            '½' => plain.push_str("1/2"),
            '×' => plain.push('x'),
            '‼' => plain.push_str("!!"),
            '⁇' => plain.push_str("??"),
            '⁈' => plain.push_str("?!"),
            '⁉' => plain.push_str("!?"),
            letter => plain.push(letter),
        }
    }
    plain.into()
}

/// A move with its number and suffixes, a glyph or a result.
fn read_word(word: &str, each: &mut impl FnMut(Token<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
    let result = GameResult::parse(word);
    if result.is_some() || word == "*" {
        return each(Token::Result(result));
    }
    if let Some(number) = word.strip_prefix('$') {
        return number.parse().map_or(ControlFlow::Continue(()), |glyph| each(Token::Glyph(glyph)));
    }
    if word == "0000" {
        return each(Token::Move(NULL_MOVE));
    }
    // "12.", "12...", and "12.e4" without a space.
    let unnumbered = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = unnumbered.is_empty() || unnumbered.starts_with('.');
    let mut mv = if is_numbered { unnumbered.trim_start_matches('.') } else { word };
    let mut glyphs = Vec::new();
    if mv == "N" {
        (mv, glyphs) = ("", vec![NOVELTY]);
    }
    while !mv.ends_with(|letter: char| letter.is_ascii_alphanumeric())
        && let Some((bare, glyph)) = SYMBOLS.iter().find_map(|&(sign, glyph)| Some((mv.strip_suffix(sign)?, glyph)))
    {
        mv = bare;
        glyphs.insert(0, glyph);
    }
    let mv = ["e.p.", "ep.", "ep"].iter().find_map(|passing| mv.strip_suffix(passing)).unwrap_or(mv);
    if matches!(mv, "--" | "Z0" | "@@@@" | "null") {
        each(Token::Move(NULL_MOVE))?;
    } else if mv.contains(char::is_alphanumeric) {
        each(Token::Move(mv))?;
    }
    glyphs.into_iter().try_for_each(|glyph| each(Token::Glyph(glyph)))
}

/// The glyph of `N`.
const NOVELTY: u8 = 146;

/// Signs of annotators, each before those that it ends with, and their numeric glyphs.
#[rustfmt::skip]
const SYMBOLS: [(&str, u8); 30] = [
    ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2),
    ("+/=", 14), ("=/+", 15), ("+/-", 16), ("-/+", 17), ("=/∞", 44), ("+=", 14), ("=+", 15), ("+-", 18), ("-+", 19), ("=", 10),
    ("∞", 13), ("⩲", 14), ("⩱", 15), ("±", 16), ("∓", 17), ("□", 7), ("⊙", 22), ("⟳", 32), ("↑", 36), ("→", 40),
    ("⇆", 132), ("⊕", 138), ("∆", 140), ("Δ", 140),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens with their lines, formatted.
    fn tokens(text: &str) -> Vec<String> {
        let (mut tokenizer, mut found) = (Tokenizer::default(), Vec::new());
        for line in text.split_inclusive('\n') {
            let end = tokenizer.read_line(line, |line, token| {
                if token != Token::BlankLine {
                    found.push(format!("{line} {token:?}"));
                }
                ControlFlow::Continue(())
            });
            assert!(end.is_continue());
        }
        tokenizer.finish(|line, token| found.push(format!("{line} {token:?}")));
        found
    }

    #[test]
    fn tokens_have_lines() {
        let text = "[White \"a \\\"b\\\"\"]\n%skipped\n\n1.e4! {two\nlines} (1. d4 $14 ; rest\n) e5 1-0";
        let expected = [
            r#"1 Tag("White", "a \"b\"")"#,
            r#"4 Move("e4")"#,
            "4 Glyph(1)",
            r#"5 Comment("two lines")"#,
            "5 VariationStart",
            r#"5 Move("d4")"#,
            "5 Glyph(14)",
            r#"5 Comment("rest")"#,
            "6 VariationEnd",
            r#"6 Move("e5")"#,
            "6 Result(Some(Win(White)))",
        ];
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn notations_of_other_programs_are_read() {
        for (text, expected) in [
            ("d4$1", r#"Move("d4") Glyph(1)"#),
            ("c4!$6 $2$14", r#"Move("c4") Glyph(1) Glyph(6) Glyph(2) Glyph(14)"#),
            ("c5??(2... d6)", r#"Move("c5") Glyph(4) VariationStart Move("d6") VariationEnd"#),
            ("a8(Q) (a8=(n)+)", r#"Move("a8(Q)") VariationStart Move("a8=(n)") VariationEnd"#),
            ("1…Qxh7+- 2.Bc4 = N", r#"Move("Qxh7") Glyph(18) Move("Bc4") Glyph(10) Glyph(146)"#),
            (
                "Nf3± += exd6 e.p. exd6e.p. Bb5 +",
                r#"Move("Nf3") Glyph(16) Glyph(14) Move("exd6") Move("exd6") Move("Bb5")"#,
            ),
            ("Nf3‼ e5⁈", r#"Move("Nf3") Glyph(3) Move("e5") Glyph(6)"#),
            ("O–O 0−0−0 e2—e4", r#"Move("O-O") Move("0-0-0") Move("e2-e4")"#),
            ("-- Z0 1.-- 0000", r#"Move("--") Move("--") Move("--") Move("--")"#),
            ("e5* Qxe5#1-0", r#"Move("e5") Result(None) Move("Qxe5#") Result(Some(Win(White)))"#),
            (
                "1/2 ½–½ 1:0 0–1",
                "Result(Some(Draw)) Result(Some(Draw)) Result(Some(Win(White))) Result(Some(Win(Black)))",
            ),
        ] {
            let found: Vec<String> = tokens(text).iter().map(|token| token["1 ".len()..].to_owned()).collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn incomplete_text_ends() {
        for text in ["[", "[a", "[a \"", "[a \"b\\", "$", "$999", "]", "}", "1.", "é", ";", "%", "[é \"é\"]é", "{}"]
        {
            assert!(tokens(text).len() <= 2, "{text}");
        }
        assert_eq!(tokens("\n{a"), ["2 OpenComment(2)"]);
        assert_eq!(tokens("{a\nb\n[Event \"c\"]"), ["3 OpenComment(1)", r#"3 Tag("Event", "c")"#]);
    }

    #[test]
    fn a_comment_can_have_lines_that_begin_with_a_percent_sign_or_a_bracket() {
        assert_eq!(tokens("{50\n% sure\n[a \"b\"]} e4"), [r#"3 Comment("50 % sure [a \"b\"]")"#, r#"3 Move("e4")"#]);
    }

    #[test]
    fn tags_and_moves_can_share_a_line() {
        let text = r#"[White "a] b"] [Black "The "Great" x"] [no tag] 1. e4 *"#;
        let expected = [r#"1 Tag("White", "a] b")"#, r#"1 Tag("Black", "The ")"#, r#"1 Move("e4")"#, "1 Result(None)"];
        assert_eq!(tokens(text), expected);
    }
}
