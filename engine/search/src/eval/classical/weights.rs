//! The weights of the evaluation and their file.
//!
//! A text file: `term NAME`, then `MIDDLEGAME,ENDGAME` in centipawns for each of its cases, separated by spaces or line ends;
//! `#` starts a comment. Every term appears once, in the order of [`Term::ALL`].

use std::fmt::Write;
use std::sync::OnceLock;

use thiserror::Error;

use super::pair::Pair;
use super::terms::{Term, WEIGHT_COUNT};

/// The weights: for each place, centipawns in the middlegame and in the endgame.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights(Box<[Pair; WEIGHT_COUNT]>);

/// What is wrong with a file of weights.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// Another term was expected here.
    #[error("line {line}: found term \"{found}\", expected \"{expected}\"")]
    Term {
        /// The line, from 1.
        line: usize,
        /// The name found.
        found: String,
        /// The term whose turn it is.
        expected: &'static str,
    },
    /// A word that is not a pair of numbers.
    #[error("line {line}: found \"{found}\", expected two numbers of centipawns such as 12,-5")]
    Pair {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A term has too many or too few.
    #[error("term {term}: found {found} pairs, expected {expected}")]
    Count {
        /// The term.
        term: &'static str,
        /// Pairs found.
        found: usize,
        /// Its cases.
        expected: usize,
    },
}

/// The largest weight: sums of many must stay within sixteen bits.
const MOST: i16 = 2500;

impl Weights {
    /// The weights inside the program, read once.
    ///
    /// # Panics
    /// If the program was compiled with a file that holds none. A test sees to that of the repository.
    pub fn embedded() -> &'static Self {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| match Self::parse(include_str!(env!("ALFIERE_CLASSICAL"))) {
            Ok(weights) => weights,
            Err(error) => panic!("the weights compiled into this program: {error}"),
        })
    }

    /// Material values only: the starting point of a fit.
    pub fn material() -> Self {
        const VALUES: [i16; 5] = [100, 320, 330, 500, 950];
        let mut weights = Self(Box::new([Pair::default(); WEIGHT_COUNT]));
        for (place, value) in Term::Material.range().zip(VALUES) {
            weights.0[place] = Pair::new(value, value);
        }
        weights
    }

    /// These values, middlegame and endgame of each place, rounded.
    pub fn from_values(values: impl IntoIterator<Item = [f32; 2]>) -> Self {
        let mut weights = Self(Box::new([Pair::default(); WEIGHT_COUNT]));
        let round = |value: f32| value.round().clamp(f32::from(-MOST), f32::from(MOST)) as i16;
        for (pair, [middlegame, endgame]) in weights.0.iter_mut().zip(values) {
            *pair = Pair::new(round(middlegame), round(endgame));
        }
        weights
    }

    /// The weight at a place, middlegame and endgame.
    pub fn values(&self, place: usize) -> [i32; 2] {
        [self.0[place].middlegame(), self.0[place].endgame()]
    }

    #[inline]
    pub(super) fn pair(&self, place: usize) -> Pair {
        self.0[place]
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// If a term is missing, out of order or has not as many pairs as cases, or a pair cannot be read.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let mut found: Vec<Vec<Pair>> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let number = number + 1;
            if let Some(name) = line.strip_prefix("term ") {
                let expected = Term::ALL.get(found.len()).map_or("the end", |term| term.label());
                if name != expected {
                    return Err(WeightsError::Term { line: number, found: name.to_owned(), expected });
                }
                found.push(Vec::new());
                continue;
            }
            for word in line.split_whitespace() {
                let wrong = || WeightsError::Pair { line: number, found: word.to_owned() };
                let pair = read_pair(word).ok_or_else(wrong)?;
                found.last_mut().ok_or_else(wrong)?.push(pair);
            }
        }
        let mut weights = Self(Box::new([Pair::default(); WEIGHT_COUNT]));
        for (index, term) in Term::ALL.into_iter().enumerate() {
            let pairs = found.get(index).map_or(&[][..], |pairs| &pairs[..]);
            if pairs.len() != term.size() {
                let (term, found, expected) = (term.label(), pairs.len(), term.size());
                return Err(WeightsError::Count { term, found, expected });
            }
            weights.0[term.range()].copy_from_slice(pairs);
        }
        Ok(weights)
    }

    /// The text of a file.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for term in Term::ALL {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "term {}", term.label());
            for row in self.0[term.range()].chunks(if term == Term::Placement { 4 } else { 8 }) {
                let pairs: Vec<String> =
                    row.iter().map(|pair| format!("{},{}", pair.middlegame(), pair.endgame())).collect();
                let _ = writeln!(text, "  {}", pairs.join(" "));
            }
        }
        text
    }
}

fn read_pair(word: &str) -> Option<Pair> {
    let (middlegame, endgame) = word.split_once(',')?;
    let number = |text: &str| text.parse::<i16>().ok().filter(|value| (-MOST..=MOST).contains(value));
    Some(Pair::new(number(middlegame)?, number(endgame)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        for weights in [Weights::embedded().clone(), Weights::material()] {
            let text = format!("# remark\n{}", weights.to_text());
            assert_eq!(Weights::parse(&text), Ok(weights));
        }
    }

    #[test]
    fn a_damaged_file_is_refused_with_the_place() {
        let text = Weights::embedded().to_text();
        let refused = |text: &str, part: &str| {
            let error = Weights::parse(text).expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
        };
        refused(&text.replace("term bishop-pair", "term pair"), "found term \"pair\", expected \"bishop-pair\"");
        refused(&text.replacen(',', ";", 1), "line 2: found");
        refused(&format!("{text} 3,4"), "term tempo: found 2 pairs, expected 1");
        refused(&format!("{text}term more\n"), "expected \"the end\"");
        refused(&format!("{text}9999,1"), "9999,1");
        refused("3,4", "line 1");
        refused("", "term material: found 0 pairs, expected 5");
    }
}
