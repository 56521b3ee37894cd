//! An option as declared by an engine, and the check of values against it.

/// An option as UCI declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DeclaredOption {
    pub(super) name: String,
    kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Check,
    Spin {
        low: Option<i64>,
        high: Option<i64>,
    },
    Combo(Vec<String>),
    /// A string, a button, or an unknown type.
    Other,
}

impl DeclaredOption {
    /// Parses the part of a UCI line after `option name `.
    pub(super) fn of_uci(rest: &str) -> Self {
        let (name, kind) = rest.split_once(" type ").unwrap_or((rest, ""));
        let words: Vec<&str> = kind.split_whitespace().collect();
        let number_after = |key: &str| {
            let at = words.iter().position(|word| *word == key)?;
            words.get(at + 1)?.parse().ok()
        };
        let kind = match words.first() {
            Some(&"check") => Kind::Check,
            Some(&"spin") => Kind::Spin { low: number_after("min"), high: number_after("max") },
            // A combo value may consist of several words.
            Some(&"combo") => Kind::Combo(kind.split(" var ").skip(1).map(|choice| choice.trim().to_owned()).collect()),
            _ => Kind::Other,
        };
        Self { name: name.trim().to_owned(), kind }
    }

    /// Checks a value against the declaration.
    ///
    /// # Errors
    /// A sentence with the option, the expected values and the value found.
    pub(super) fn check(&self, value: &str) -> Result<(), String> {
        let expected = match &self.kind {
            Kind::Check if ["true", "false"].contains(&value) => return Ok(()),
            Kind::Check => "true or false".to_owned(),
            Kind::Spin { low, high } => {
                let (low, high) = (low.unwrap_or(i64::MIN), high.unwrap_or(i64::MAX));
                match value.parse() {
                    Ok(number) if (low..=high).contains(&number) => return Ok(()),
                    _ => format!("a number from {low} to {high}"),
                }
            }
            Kind::Combo(choices) if choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) => return Ok(()),
            Kind::Combo(choices) => format!("one of {}", choices.join(", ")),
            Kind::Other => return Ok(()),
        };
        Err(format!("option {}: expected {expected}, found '{value}'", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_against_the_declaration() {
        let uci = DeclaredOption::of_uci;
        for (option, good, bad) in [
            (uci("Hash type spin default 16 min 1 max 1024"), "64", "lots"),
            (uci("Hash type spin default 16 min 1 max 1024"), "1024", "1025"),
            (uci("UCI_LimitStrength type check default false"), "true", "yes"),
            (uci("Style type combo default Normal var Very Solid var Normal"), "very solid", "Solid"),
        ] {
            assert_eq!(option.check(good), Ok(()), "{option:?}");
            let refused = option.check(bad).expect_err("out of range");
            assert!(refused.contains(&option.name) && refused.contains(bad), "{refused}");
        }
        for line in ["EvalFile type string default <empty>", "Clear Hash type button", "Odd"] {
            assert_eq!(uci(line).check("anything"), Ok(()), "{line}");
        }
    }
}
