//! The tokens of PGN text.

use alfiere_chess::pgn::glyph_of;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Tag(String, String),
    Comment(String),
    /// A numeric annotation glyph.
    Glyph(u8),
    VariationStart,
    VariationEnd,
    /// A move without its number and suffix.
    Move(String),
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result(String),
}

/// A comment without its closing brace, with the line it starts in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OpenComment {
    pub(crate) line: usize,
}

/// Splits PGN into tokens with their lines, from 1.
///
/// # Errors
/// If a comment is not closed.
pub(crate) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, OpenComment> {
    let mut scanner = Scanner { rest: text.trim_start_matches('\u{feff}'), line: 1, tokens: Vec::new() };
    let mut is_line_start = true;
    while let Some(first) = scanner.rest.chars().next() {
        let starts_line = std::mem::replace(&mut is_line_start, first == '\n');
        match first {
            '%' if starts_line => drop(scanner.take_until('\n')),
            '[' => scanner.tag(),
            '{' => {
                let line = scanner.line;
                scanner.skip(1);
                let comment = scanner.take_until('}').ok_or(OpenComment { line })?;
                scanner.push_at(line, Token::Comment(spaced(comment)));
            }
            ';' => {
                scanner.skip(1);
                let line = scanner.line;
                let comment = scanner.take_until('\n').unwrap_or_default();
                scanner.push_at(line, Token::Comment(spaced(comment)));
                is_line_start = true;
            }
            '(' => scanner.single(Token::VariationStart),
            ')' => scanner.single(Token::VariationEnd),
            _ if first.is_whitespace() || "]}".contains(first) => scanner.skip(first.len_utf8()),
            _ => scanner.word(),
        }
    }
    Ok(scanner.tokens)
}

/// The text with single spaces and without control characters.
fn spaced(text: &str) -> String {
    text.split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
    tokens: Vec<(usize, Token)>,
}

impl<'a> Scanner<'a> {
    fn push_at(&mut self, line: usize, token: Token) {
        self.tokens.push((line, token));
    }

    fn single(&mut self, token: Token) {
        self.push_at(self.line, token);
        self.skip(1);
    }

    fn skip(&mut self, bytes: usize) {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.line += skipped.matches('\n').count();
        self.rest = rest;
    }

    /// The text before `end`, which is skipped too; without it `None`, and the rest is skipped.
    fn take_until(&mut self, end: char) -> Option<&'a str> {
        let rest = self.rest;
        let found = rest.split_once(end).map(|(text, _)| text);
        self.skip(found.map_or(rest.len(), |text| text.len() + end.len_utf8()));
        found.or_else(|| (end == '\n').then_some(rest))
    }

    /// `[Name "value"]`, in which quotes and backslashes of the value are escaped; other text in brackets is skipped.
    fn tag(&mut self) {
        let line = self.line;
        let rest = &self.rest[1..];
        let name_end = rest.find(['"', ']', '\n']).unwrap_or(rest.len());
        if !rest[name_end..].starts_with('"') {
            return self.skip(1 + name_end);
        }
        let (name, mut value) = (rest[..name_end].trim().to_owned(), String::new());
        let mut letters = rest[name_end + 1..].char_indices();
        let length = loop {
            match letters.next() {
                Some((at, '"')) => break at + 1,
                Some((at, '\n')) => break at,
                Some((_, '\\')) => value.extend(letters.next().map(|(_, letter)| letter)),
                Some((_, letter)) => value.push(letter),
                None => break rest.len() - name_end - 1,
            }
        };
        self.push_at(line, Token::Tag(name, spaced(&value)));
        self.skip(1 + name_end + 1 + length);
    }

    /// A move with its number and suffix, a glyph or a result.
    fn word(&mut self) {
        let end = self.rest.find(|letter: char| letter.is_whitespace() || "{}();[]".contains(letter));
        let word = &self.rest[..end.unwrap_or(self.rest.len())];
        let line = self.line;
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            self.push_at(line, Token::Result(word.to_owned()));
        } else if let Some(number) = word.strip_prefix('$') {
            let glyph = number.parse().ok().map(Token::Glyph);
            self.tokens.extend(glyph.map(|glyph| (line, glyph)));
        } else {
            // "12.", "12...", and "12.e4" without a space.
            let unnumbered = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let mv = if unnumbered.is_empty() || unnumbered.starts_with('.') {
                unnumbered.trim_start_matches('.')
            } else {
                word
            };
            let bare = mv.trim_end_matches(['!', '?']);
            if !bare.is_empty() {
                self.push_at(line, Token::Move(bare.to_owned()));
            }
            self.tokens.extend(glyph_of(&mv[bare.len()..]).map(|glyph| (line, Token::Glyph(glyph))));
        }
        self.skip(word.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_keep_their_lines() {
        let text = "[White \"a \\\"b\\\"\"]\n%skipped\n\n1.e4! {two\nlines} (1. d4 $14 ; rest\n) e5 1-0";
        let found = tokens(text).expect("closed");
        let expected = [
            (1, Token::Tag("White".to_owned(), "a \"b\"".to_owned())),
            (4, Token::Move("e4".to_owned())),
            (4, Token::Glyph(1)),
            (4, Token::Comment("two lines".to_owned())),
            (5, Token::VariationStart),
            (5, Token::Move("d4".to_owned())),
            (5, Token::Glyph(14)),
            (5, Token::Comment("rest".to_owned())),
            (6, Token::VariationEnd),
            (6, Token::Move("e5".to_owned())),
            (6, Token::Result("1-0".to_owned())),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn incomplete_text_ends() {
        for text in ["[", "[a", "[a \"", "[a \"b\\", "$", "$999", "]", "}", "1.", "é", ";", "%", "[é \"é\"]é"] {
            assert!(tokens(text).is_ok(), "{text}");
        }
        assert_eq!(tokens("\n{a"), Err(OpenComment { line: 2 }));
    }
}
