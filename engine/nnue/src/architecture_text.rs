//! An architecture as text: `dual [512] crelu x8`.
//!
//! Perspective, hidden widths, activation, output buckets; then `stacks` if each of these has all layers behind the
//! accumulator for itself, `pairwise` if the halves of an accumulator are multiplied with one another, `skip` if the output
//! sees all layers behind it, and for king-relative inputs how many king buckets (`dual [512,16,32] crelu x8 stacks pairwise
//! skip kings=4`). It is also the serde form, so a configuration file reads as the command
//! line does.

use std::fmt;
use std::str::FromStr;

use super::architecture::{Activation, Architecture, ArchitectureError, OutputBuckets, Perspective};
use super::inputs::Inputs;

/// The word for [`Architecture::stacks`].
const STACKS: &str = "stacks";
/// The word for [`Architecture::pairwise`].
const PAIRWISE: &str = "pairwise";
/// The word for [`Architecture::skip`].
const SKIP: &str = "skip";

impl Perspective {
    const fn name(self) -> &'static str {
        match self {
            Self::Dual => "dual",
            Self::White => "white",
        }
    }
}

impl Activation {
    const fn name(self) -> &'static str {
        match self {
            Self::ClippedRelu => "crelu",
            Self::SquaredClippedRelu => "screlu",
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [", self.perspective.name())?;
        for (index, width) in self.hidden.iter().enumerate() {
            write!(f, "{}{width}", if index == 0 { "" } else { "," })?;
        }
        write!(f, "] {} x{}", self.activation.name(), self.output_buckets.count())?;
        if self.stacks {
            write!(f, " {STACKS}")?;
        }
        if self.pairwise {
            write!(f, " {PAIRWISE}")?;
        }
        if self.skip {
            write!(f, " {SKIP}")?;
        }
        if self.inputs.are_king_relative() { write!(f, " {}", self.inputs) } else { Ok(()) }
    }
}

impl FromStr for Architecture {
    type Err = ArchitectureError;

    /// Reads `dual [512,16,32] crelu x8 stacks pairwise skip kings=4`; activation (`crelu`), buckets (`x1`), the three words
    /// behind them (none of that) and king buckets (plain inputs) may be left out.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let syntax = |reason: String| ArchitectureError::Syntax { text: text.to_owned(), reason };
        let (head, rest) = text.split_once('[').ok_or_else(|| syntax("no `[`".to_owned()))?;
        let (widths, tail) = rest.split_once(']').ok_or_else(|| syntax("no `]`".to_owned()))?;
        let perspective = match head.trim() {
            "dual" => Perspective::Dual,
            "white" => Perspective::White,
            other => return Err(syntax(format!("perspective `{other}` is neither `dual` nor `white`"))),
        };
        let hidden = if widths.trim().is_empty() {
            Vec::new()
        } else {
            let width = |word: &str| word.trim().parse().map_err(|_| syntax(format!("`{word}` is no width")));
            widths.split(',').map(width).collect::<Result<Vec<usize>, _>>()?
        };
        let mut words = tail.split_whitespace().peekable();
        let is_later = |word: &str| [STACKS, PAIRWISE, SKIP].contains(&word) || word.starts_with("kings");
        let is_activation = |word: &&str| !word.starts_with('x') && !is_later(word);
        let activation = match words.next_if(is_activation) {
            None | Some("crelu") => Activation::ClippedRelu,
            Some("screlu") => Activation::SquaredClippedRelu,
            Some(other) => return Err(syntax(format!("activation `{other}` is neither `crelu` nor `screlu`"))),
        };
        let output_buckets = match words.next_if(|word| !is_later(word)) {
            None | Some("x1") => OutputBuckets::One,
            Some("x8") => OutputBuckets::Eight,
            Some(other) => return Err(syntax(format!("output buckets `{other}` are neither `x1` nor `x8`"))),
        };
        let stacks = words.next_if(|word| *word == STACKS).is_some();
        let pairwise = words.next_if(|word| *word == PAIRWISE).is_some();
        let skip = words.next_if(|word| *word == SKIP).is_some();
        let inputs = match words.next() {
            None => Inputs::Plain,
            Some(word) if !word.starts_with("kings") => return Err(syntax(format!("`{word}` is left over"))),
            Some(word) => {
                let named =
                    Inputs::ALL.into_iter().find(|inputs| inputs.are_king_relative() && inputs.to_string() == word);
                named.ok_or_else(|| syntax(format!("inputs `{word}` are none of `kings=1`, 2, 4, 8 and 16")))?
            }
        };
        if let Some(word) = words.next() {
            return Err(syntax(format!("`{word}` is left over")));
        }
        Self::new(perspective, hidden, activation, output_buckets)?
            .with_stacks(stacks)?
            .with_pairwise(pairwise)?
            .with_skip(skip)?
            .with_inputs(inputs)
    }
}

impl From<Architecture> for String {
    fn from(architecture: Architecture) -> Self {
        architecture.to_string()
    }
}

impl TryFrom<String> for Architecture {
    type Error = ArchitectureError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_round_trips() {
        for text in [
            "dual [512] crelu x8",
            "white [769,384,192,96] crelu x1",
            "white [] crelu x1",
            "dual [7] screlu x1",
            "dual [512] crelu x8 kings=4",
            "dual [512,16,32] crelu x8 stacks",
            "white [512,16] screlu x8 stacks",
            "dual [512,16,32] crelu x8 stacks kings=16",
            "white [512,16] crelu x1 pairwise",
            "dual [1024,16,32] crelu x8 stacks pairwise kings=16",
            "dual [1024,32,32] crelu x8 stacks pairwise skip kings=1",
            "white [64,2] screlu x1 skip",
        ] {
            let architecture: Architecture = text.parse().expect(text);
            assert_eq!(architecture.to_string(), text);
        }
        let short: Architecture = "dual [ 768, 16,32 ]".parse().expect("defaults");
        assert_eq!(short.to_string(), "dual [768,16,32] crelu x1");
        assert_eq!(
            "dual [9] kings=16".parse::<Architecture>().expect("kings alone").to_string(),
            "dual [9] crelu x1 kings=16"
        );
        assert_eq!("white [] x8".parse::<Architecture>().expect("x8 alone").output_buckets, OutputBuckets::Eight);
    }

    #[test]
    fn bad_texts_are_refused_with_their_reason() {
        for (text, reason) in [
            ("black [1]", "perspective"),
            ("dual 512", "no `[`"),
            ("dual [512", "no `]`"),
            ("dual [5x]", "no width"),
            ("dual [5,]", "no width"),
            ("dual [5] relu", "activation"),
            ("dual [5] crelu x3", "output buckets"),
            ("dual [5] crelu x8 more", "left over"),
            ("dual [5] kings=4 more", "left over"),
            ("dual [5] kings=3", "none of `kings=1`"),
            ("dual [5] kings=0", "none of `kings=1`"),
            ("white [5] kings=4", "need the perspective `dual`"),
            ("dual [0]", "possible are 1 to 4096"),
            ("dual [8,4097]", "hidden layer 2"),
            ("dual [1,1,1,1,1,1]", "6 hidden layers"),
            ("dual [8,8] stacks", "two hidden layers"),
            ("dual [8] x8 stacks", "two hidden layers"),
            ("dual [8,8] x8 kings=4 stacks", "left over"),
            ("dual [8,8] x8 stacks stacks", "left over"),
            ("dual [8,8] x8 pairwise stacks", "left over"),
            ("dual [8] pairwise", "two hidden layers"),
            ("dual [9,8] pairwise", "even width"),
            ("dual [9] skip", "two hidden layers"),
            ("dual [9,1,8] skip", "two neurons"),
            ("dual [8,8] skip pairwise", "left over"),
        ] {
            let message = text.parse::<Architecture>().expect_err(text).to_string();
            assert!(message.contains(reason), "{text}: {message}");
        }
    }
}
