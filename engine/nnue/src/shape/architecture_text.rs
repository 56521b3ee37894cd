//! An architecture as text: `dual [512] crelu x8`.
//!
//! Perspective, then hidden widths, then words in any order, each at most once: the activation, the output buckets,
//! `stacks` if each of these has all layers behind the accumulator for itself, `pairwise` if the halves of an accumulator
//! are multiplied with one another, `skip` if the output sees all layers behind it, `wide` if the accumulator of a deeper
//! network has 16-bit weights, for king-relative inputs the number of king buckets, and `attacks` if the inputs tell what
//! attacks and defends a piece (`dual [512,16,32] crelu x8 stacks pairwise skip wide kings=4 attacks`, which is also the
//! order in which they are written). Other buckets are lists: `outputs=0,0,1,...` for 2 to 32 pieces,
//! `kings=0,0,1,1/2,2,2,2/...` for the own king's ranks, of which [`Inputs::from_text`] says more. It is also the serde
//! form, so a configuration file reads as the command line does.

use std::str::FromStr;
use std::{fmt, mem};

use crate::shape::architecture::{Activation, Architecture, ArchitectureError, Perspective};
use crate::shape::buckets::OutputBuckets;
use crate::shape::inputs::Inputs;

const STACKS: &str = "stacks";
const PAIRWISE: &str = "pairwise";
const SKIP: &str = "skip";
const WIDE: &str = "wide";
/// The word for [`Inputs::has_attacks`].
const ATTACKS: &str = "attacks";
/// What a second word for the output buckets is called.
const OUTPUTS: &str = "number of output buckets";
/// What may stand behind the hidden widths, as a refusal lists it.
const POSSIBLE: &str = "at most one each of crelu, screlu, relu or tanh, x1, x8 or outputs=LIST, stacks, pairwise, skip, wide, kings=1, 2, 4, 8, 16 or MAP, and attacks";

impl Perspective {
    const fn name(self) -> &'static str {
        match self {
            Self::Dual => "dual",
            Self::White => "white",
        }
    }
}

impl Activation {
    /// The word of its text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClippedRelu => "crelu",
            Self::SquaredClippedRelu => "screlu",
            Self::Relu => "relu",
            Self::Tanh => "tanh",
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [", self.perspective.name())?;
        for (index, width) in self.hidden.iter().enumerate() {
            write!(f, "{}{width}", if index == 0 { "" } else { "," })?;
        }
        write!(f, "] {} {}", self.activation.name(), self.output_buckets)?;
        if self.stacks {
            write!(f, " {STACKS}")?;
        }
        if self.pairwise {
            write!(f, " {PAIRWISE}")?;
        }
        if self.skip {
            write!(f, " {SKIP}")?;
        }
        if self.wide {
            write!(f, " {WIDE}")?;
        }
        if self.inputs.is_king_relative() {
            write!(f, " {}", self.inputs)?;
        }
        if self.inputs.has_attacks() { write!(f, " {ATTACKS}") } else { Ok(()) }
    }
}

impl FromStr for Architecture {
    type Err = ArchitectureError;

    /// Reads `dual [512,16,32] crelu x8 stacks pairwise skip kings=4`, the words behind the widths in any order. Each of them
    /// may be left out: the activation is then `crelu`, the buckets are `x1` and the inputs plain.
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
        let mut words = Words::default();
        for word in tail.split_whitespace() {
            words.take(word).map_err(|problem| syntax(format!("{problem} (possible: {POSSIBLE})")))?;
        }
        let Words { stacks, pairwise, skip, wide, .. } = words;
        let (activation, output_buckets) =
            (words.activation.unwrap_or_default(), words.output_buckets.unwrap_or_default());
        let inputs = words.inputs.unwrap_or_default().with_attacks(words.attacks);
        Self { perspective, hidden, activation, output_buckets, stacks, pairwise, skip, wide, inputs }.checked()
    }
}

/// What the words behind the hidden widths say.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word")]
struct Words {
    activation: Option<Activation>,
    output_buckets: Option<OutputBuckets>,
    stacks: bool,
    pairwise: bool,
    skip: bool,
    wide: bool,
    attacks: bool,
    inputs: Option<Inputs>,
}

impl Words {
    fn take(&mut self, word: &str) -> Result<(), String> {
        let (kind, is_second) = match word {
            STACKS => (STACKS, mem::replace(&mut self.stacks, true)),
            PAIRWISE => (PAIRWISE, mem::replace(&mut self.pairwise, true)),
            SKIP => (SKIP, mem::replace(&mut self.skip, true)),
            WIDE => (WIDE, mem::replace(&mut self.wide, true)),
            ATTACKS => (ATTACKS, mem::replace(&mut self.attacks, true)),
            "crelu" => ("activation", self.activation.replace(Activation::ClippedRelu).is_some()),
            "screlu" => ("activation", self.activation.replace(Activation::SquaredClippedRelu).is_some()),
            "relu" => ("activation", self.activation.replace(Activation::Relu).is_some()),
            "tanh" => ("activation", self.activation.replace(Activation::Tanh).is_some()),
            "x1" => (OUTPUTS, self.output_buckets.replace(OutputBuckets::ONE).is_some()),
            "x8" => (OUTPUTS, self.output_buckets.replace(OutputBuckets::EIGHT).is_some()),
            _ => match word.split_once('=') {
                Some(("outputs", list)) => {
                    let buckets = OutputBuckets::from_text(list).map_err(|error| format!("`outputs`, {error}"))?;
                    (OUTPUTS, self.output_buckets.replace(buckets).is_some())
                }
                Some(("kings", map)) => ("number of king buckets", self.inputs.replace(kings(word, map)?).is_some()),
                _ => return Err(format!("unknown word `{word}`")),
            },
        };
        if is_second { Err(format!("`{word}` is a second {kind}")) } else { Ok(()) }
    }
}

/// The inputs of the word `kings=MAP`, or `kings=4`.
fn kings(word: &str, map: &str) -> Result<Inputs, String> {
    match map.parse() {
        Ok(buckets) => {
            let inputs = Inputs::from_king_buckets(buckets).filter(Inputs::is_king_relative);
            inputs.ok_or_else(|| format!("unknown word `{word}`"))
        }
        // Lines of a file are parts between slashes here.
        Err(_) => Inputs::from_text(&map.replace('/', "\n")).map_err(|error| format!("`kings`, {error}")),
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
            "dual [64,8] crelu x1 wide kings=1 attacks",
            "white [64] crelu x1 attacks",
            "dual [64] crelu x1 kings=8 attacks",
            "dual [8] crelu x1 kings=0,0,0,0/0,0,0,0/1,1,1,1/1,1,1,1/1,1,1,1/1,1,1,1/1,1,1,1/1,1,1,1",
            "dual [8,8] crelu outputs=0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 stacks kings=2",
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
        assert_eq!("white [] x8".parse::<Architecture>().expect("x8 alone").output_buckets, OutputBuckets::EIGHT);
    }

    #[test]
    fn words_come_in_any_order() {
        let words = ["screlu", "x8", "stacks", "pairwise", "skip", "wide", "kings=4", "attacks"];
        let expected: Architecture = format!("dual [8,8,8] {}", words.join(" ")).parse().expect("in order");
        for first in 0..words.len() {
            let turned = [&words[first..], &words[..first]].concat();
            for order in [turned.clone(), turned.into_iter().rev().collect()] {
                let text = format!("dual [8,8,8] {}", order.join(" "));
                assert_eq!(text.parse::<Architecture>().as_ref(), Ok(&expected), "{text}");
            }
        }
        let beside: Architecture = "dual [1024,16,32] x8 pairwise stacks".parse().expect("any order");
        assert_eq!(beside.to_string(), "dual [1024,16,32] crelu x8 stacks pairwise");
    }

    #[test]
    fn bad_texts_are_refused_with_their_reason() {
        for (text, reason) in [
            ("black [1]", "perspective"),
            ("dual 512", "no `[`"),
            ("dual [512", "no `]`"),
            ("dual [5x]", "no width"),
            ("dual [5,]", "no width"),
            (
                "dual [5] gelu",
                "unknown word `gelu` (possible: at most one each of crelu, screlu, relu or tanh, x1, x8 or outputs=LIST, stacks",
            ),
            ("dual [5] crelu x3", "unknown word `x3`"),
            ("dual [5] kings=4 more", "unknown word `more`"),
            ("dual [5] kings=3", "unknown word `kings=3` (possible: at most one each"),
            ("dual [5] kings=0", "unknown word `kings=0`"),
            ("dual [5] kings=0,0,0,0/0,0,0,z", "`kings`, line 2: `z` is no bucket, possible are 0 to 63"),
            ("dual [5] kings=0,0,0,0", "`kings`, expected 8 lines of numbers"),
            ("dual [5] outputs=0,1", "`outputs`, expected 31 numbers"),
            ("dual [5] outputs=0,77", "`outputs`, line 1: `77` is no bucket"),
            ("dual [5] screlu x8 crelu", "`crelu` is a second activation (possible: at most one each"),
            ("dual [5] crelu crelu", "`crelu` is a second activation"),
            ("dual [5] x1 kings=2 x8", "`x8` is a second number of output buckets"),
            ("dual [5] kings=4 x8 kings=8", "`kings=8` is a second number of king buckets"),
            ("white [5] kings=4", "need the perspective `dual`"),
            ("dual [5] kings=16 attacks", "`attacks` with 16 king buckets, at most 8 are possible"),
            ("dual [5] attacks attacks", "`attacks` is a second attacks"),
            ("dual [0]", "possible are 1 to 4096"),
            ("dual [8,4097]", "hidden layer 2"),
            ("dual [1,1,1,1,1,1]", "6 hidden layers"),
            ("dual [8,8] stacks", "two hidden layers"),
            ("dual [8] x8 stacks", "two hidden layers"),
            ("dual [8,8] x1 stacks", "need output buckets"),
            ("dual [8,8] x8 stacks pairwise stacks", "`stacks` is a second stacks"),
            ("dual [8] pairwise", "two hidden layers"),
            ("dual [9,8] pairwise", "even width"),
            ("dual [9] skip", "two hidden layers"),
            ("dual [9,1,8] skip", "two neurons"),
            ("dual [8,8] skip pairwise skip", "`skip` is a second skip"),
            ("dual [8] wide", "two hidden layers"),
            ("dual [8,8] wide wide", "`wide` is a second wide"),
        ] {
            let message = text.parse::<Architecture>().expect_err(text).to_string();
            assert!(message.contains(reason), "{text}: {message}");
        }
    }
}
