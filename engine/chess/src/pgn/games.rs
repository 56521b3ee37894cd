//! The games among the tokens of PGN text.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use crate::pgn::tokens::{Token, Tokenizer};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part<'a> {
    /// A token of a game. The first of a game is no comment; a blank line is none.
    Token(Token<'a>),
    End,
}

/// Finds the games of PGN text, line by line.
///
/// A game ends with its result, before tags that follow moves, and before a tag that it has already, unless no blank line
/// separates the two. Comments before a game belong to it if it has no tags. A result alone is no game.
#[derive(Default, Debug)]
pub struct GameTokenizer {
    tokenizer: Tokenizer,
    bounds: Bounds,
}

/// Tag names and values, in the order in which the names appear first.
#[derive(Default, Debug)]
pub struct Tags {
    list: Vec<(String, String)>,
    places: HashMap<String, usize>,
}

impl Tags {
    /// Adds a tag, or gives it another value.
    pub fn set(&mut self, name: &str, value: String) {
        if let Some(&place) = self.places.get(name) {
            self.list[place].1 = value;
        } else {
            self.places.insert(name.to_owned(), self.list.len());
            self.list.push((name.to_owned(), value));
        }
    }

    pub fn into_list(self) -> Vec<(String, String)> {
        self.list
    }
}

#[derive(Default, Debug)]
struct Bounds {
    is_open: bool,
    tag_names: HashSet<String>,
    /// Whether there was a blank line after the tags so far.
    has_blank_line: bool,
    has_moves: bool,
    /// The number of open variations, whose results are not the game's.
    variations: usize,
    /// Comments before the game, with their lines.
    before: Vec<(usize, String)>,
}

impl GameTokenizer {
    /// Reads a line and calls `each` with the line's number and each part.
    pub fn read_line(
        &mut self,
        text: &str,
        mut each: impl FnMut(usize, Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Self { tokenizer, bounds } = self;
        tokenizer.read_line(text, |line, token| bounds.take(line, token, &mut each))
    }

    /// Ends the text and its last game.
    pub fn finish(mut self, mut each: impl FnMut(usize, Part<'_>) -> ControlFlow<()>) {
        // These are of the last game: `Break` makes no difference.
        self.tokenizer.finish(|line, token| _ = self.bounds.take(line, token, &mut each));
        _ = self.bounds.end(self.tokenizer.line(), &mut each);
    }
}

impl Bounds {
    fn take(
        &mut self,
        line: usize,
        token: Token<'_>,
        each: &mut impl FnMut(usize, Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match &token {
            Token::BlankLine => {
                self.has_blank_line = true;
                return ControlFlow::Continue(());
            }
            Token::Comment(text) if !self.is_open => {
                self.before.push((line, text.clone()));
                return ControlFlow::Continue(());
            }
            Token::Result(_) | Token::VariationEnd if !self.is_open => return ControlFlow::Continue(()),
            Token::Tag(name, _) => {
                let is_repeated = self.has_blank_line && self.tag_names.contains(*name);
                if self.has_moves || is_repeated || self.variations > 0 {
                    self.end(line, each)?;
                }
                self.before.clear();
                self.has_blank_line = false;
                self.tag_names.insert((*name).to_owned());
            }
            Token::VariationStart => self.variations += 1,
            Token::VariationEnd => self.variations = self.variations.saturating_sub(1),
            Token::Move(_) => self.has_moves = true,
            _ => {}
        }
        self.is_open = true;
        for (line, text) in std::mem::take(&mut self.before) {
            each(line, Part::Token(Token::Comment(text)))?;
        }
        let is_last = match token {
            Token::Result(_) => self.variations == 0,
            Token::OpenComment(_) => true,
            _ => false,
        };
        each(line, Part::Token(token))?;
        if is_last { self.end(line, each) } else { ControlFlow::Continue(()) }
    }

    fn end(&mut self, line: usize, each: &mut impl FnMut(usize, Part<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        if std::mem::take(self).is_open { each(line, Part::End) } else { ControlFlow::Continue(()) }
    }
}
