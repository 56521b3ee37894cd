//! A UCI option: its type, its declaration, and how a value is checked and set.

use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

use super::reporter::InfoFormat;
use crate::engine::{OpeningBook, Settings};

/// The default value of a file option: the file embedded in the program.
pub(super) const EMBEDDED: &str = "<embedded>";
/// How GUIs write an empty string.
pub(super) const EMPTY: &str = "<empty>";

/// What options change.
pub(super) struct Target<'a> {
    pub(super) settings: &'a mut Settings,
    pub(super) book: &'a mut OpeningBook,
    pub(super) format: &'a mut InfoFormat,
}

/// What the session must do after an option was set. A file is `None` for the embedded one, or for none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    None,
    LoadNetwork(Option<PathBuf>),
    LoadBook(Option<PathBuf>),
    LoadTablebases(Option<PathBuf>),
    ClearHash,
}

/// Applies a checked value.
pub(super) type Set<T> = Box<dyn Fn(&mut Target<'_>, T) + Send + Sync>;

/// The type of an option with its default and what it sets.
pub(super) enum Kind {
    Button(Effect),
    Check {
        default: bool,
        set: Set<bool>,
    },
    Spin {
        default: i64,
        low: i64,
        high: i64,
        set: Set<i64>,
    },
    /// The setter receives the index of the choice.
    Combo {
        default: &'static str,
        choices: Vec<&'static str>,
        set: Set<usize>,
    },
    File {
        default: &'static str,
        effect: fn(Option<PathBuf>) -> Effect,
    },
    /// Any text; nothing depends on it.
    Text,
}

pub struct UciOption {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum OptionError {
    #[error("no option is named '{0}'")]
    Unknown(String),
    #[error("option {name}: expected a number from {low} to {high}, found '{found}'")]
    Number { name: &'static str, low: i64, high: i64, found: String },
    #[error("option {name}: expected true or false, found '{found}'")]
    Check { name: &'static str, found: String },
    #[error("option {name}: expected one of {known}, found '{found}'")]
    Choice { name: &'static str, known: String, found: String },
}

impl UciOption {
    /// The name, as GUIs show it.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    pub const fn help(&self) -> &'static str {
        self.help
    }

    /// The accepted values in words, and the default; empty for a button.
    pub fn values(&self) -> (String, String) {
        match &self.kind {
            Kind::Button(_) => (String::new(), String::new()),
            Kind::Check { default, .. } => ("true, false".to_owned(), default.to_string()),
            Kind::Spin { default, low, high, .. } => (format!("{low} to {high}"), default.to_string()),
            Kind::Combo { default, choices, .. } => (choices.join(", "), (*default).to_owned()),
            Kind::File { default, .. } => ("a file or folder".to_owned(), (*default).to_owned()),
            Kind::Text => ("any text".to_owned(), EMPTY.to_owned()),
        }
    }

    /// Sets the value if it is one of those accepted.
    pub(super) fn set(&self, text: &OsStr, target: &mut Target<'_>) -> Result<Effect, OptionError> {
        let value = &*text.to_string_lossy();
        let (name, found) = (self.name, || value.to_owned());
        match &self.kind {
            Kind::Button(effect) => return Ok(effect.clone()),
            Kind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => set(target, true),
                "false" => set(target, false),
                _ => return Err(OptionError::Check { name, found: found() }),
            },
            &Kind::Spin { low, high, ref set, .. } => match value.parse() {
                Ok(number) if (low..=high).contains(&number) => set(target, number),
                _ => return Err(OptionError::Number { name, low, high, found: found() }),
            },
            Kind::Combo { choices, set, .. } => {
                let known = || choices.join(", ");
                let chosen = choices.iter().position(|choice| choice.eq_ignore_ascii_case(value));
                set(target, chosen.ok_or_else(|| OptionError::Choice { name, known: known(), found: found() })?);
            }
            Kind::File { effect, .. } => {
                return Ok(effect((!matches!(value, "" | EMBEDDED | EMPTY)).then(|| text.into())));
            }
            Kind::Text => {}
        }
        Ok(Effect::None)
    }
}

/// The line that declares the option to a GUI.
impl fmt::Display for UciOption {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "option name {} type ", self.name)?;
        match &self.kind {
            Kind::Button(_) => write!(out, "button"),
            Kind::Check { default, .. } => write!(out, "check default {default}"),
            Kind::Spin { default, low, high, .. } => write!(out, "spin default {default} min {low} max {high}"),
            Kind::Combo { default, choices, .. } => {
                write!(out, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(out, " var {choice}"))
            }
            Kind::File { default, .. } => write!(out, "string default {default}"),
            Kind::Text => write!(out, "string default {EMPTY}"),
        }
    }
}
