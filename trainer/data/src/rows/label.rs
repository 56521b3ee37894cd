//! The label of a row: the score of its position, from White's point of view.
//!
//! Owns the text form of labels (`+56`, `#-2`) and their 16-bit form, and the numbers of text files.

use alfiere_chess::game::ReportedScore;
use alfiere_chess::types::Color;

use crate::metrics::clipped;

/// Maximum centipawn value of a label; larger ones are saturated.
pub const MAX_CENTIPAWNS: i16 = 30_000;
/// A mate label is stored as this value minus the distance.
const MATE: i16 = 32_767;
/// Maximum mate distance of a label in moves.
const MAX_MATE_DISTANCE: u16 = 2_000;

/// A score from White's point of view, in 16 bits: centipawns, or a forced mate with its distance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// Hundredths of a pawn, positive if White is better.
    Centipawns(i16),
    Mate {
        /// The side that mates.
        winner: Color,
        /// Number of moves to mate; 0 for checkmate on the board.
        distance: u16,
    },
}

impl Label {
    /// A score in centipawns, saturated to ±[`MAX_CENTIPAWNS`].
    pub fn centipawns(value: i64) -> Self {
        let limit = i64::from(MAX_CENTIPAWNS);
        Self::Centipawns(value.clamp(-limit, limit) as i16)
    }

    /// A score in centipawns from the point of view of `us`.
    pub(crate) fn centipawns_for(us: Color, value: i64) -> Self {
        Self::centipawns(if us == Color::White { value } else { -value })
    }

    /// The label of a score reported by the side to move, `us`.
    pub fn of_reported_score(reported_score: ReportedScore, us: Color) -> Self {
        match reported_score {
            ReportedScore::Centipawns(value) => Self::centipawns_for(us, i64::from(value)),
            ReportedScore::Mate(moves) => {
                let distance = moves.unsigned_abs().min(u32::from(MAX_MATE_DISTANCE)) as u16;
                Self::Mate { winner: if moves > 0 { us } else { !us }, distance }
            }
        }
    }

    /// The label in clipped centipawns; a mate is ±1.
    pub fn clipped(self) -> f64 {
        match self {
            Self::Centipawns(value) => clipped(f64::from(value)),
            Self::Mate { winner: Color::White, .. } => 1.0,
            Self::Mate { winner: Color::Black, .. } => -1.0,
        }
    }

    /// Reads `+56`, `-10`, `0`, `-68.0`, `#3`, `#+3`, `#-2`, with or without a byte-order mark or spaces around.
    /// `#0` means that the side to move is mated.
    pub fn parse(text: &[u8], side_to_move: Color) -> Option<Self> {
        match trim(text) {
            text @ [b'#', ..] => Self::parse_mate(text, side_to_move),
            text => parse_whole(text).map(Self::centipawns),
        }
    }

    /// Reads the moves to mate, with or without `#`: positive if White mates, 0 if the side to move is mated.
    pub(crate) fn parse_mate(text: &[u8], side_to_move: Color) -> Option<Self> {
        let text = trim(text);
        let text = text.strip_prefix(b"#").unwrap_or(text);
        let moves = parse_whole(text)?;
        let winner = match (moves, text) {
            (0, [b'+', ..]) => Color::White,
            (0, [b'-', ..]) => Color::Black,
            (0, _) => !side_to_move,
            (moves, _) if moves > 0 => Color::White,
            _ => Color::Black,
        };
        let distance = moves.unsigned_abs().min(u64::from(MAX_MATE_DISTANCE)) as u16;
        Some(Self::Mate { winner, distance })
    }

    /// [`Label::parse`], with numbers in this unit.
    pub fn parse_in(text: &[u8], side_to_move: Color, unit: LabelUnit) -> Option<Self> {
        match unit {
            LabelUnit::Centipawns => Self::parse(text, side_to_move),
            LabelUnit::Pawns if trim(text).starts_with(b"#") => Self::parse(text, side_to_move),
            LabelUnit::Pawns => decimal(trim(text)).map(|pawns| Self::centipawns((pawns * 100.0).round() as i64)),
        }
    }

    /// A label from the view of the side to move, `us`, from White's. A mate in 0 is on the board: `us` is mated.
    pub fn from_side_to_move(self, us: Color) -> Self {
        match self {
            Self::Mate { distance: 0, .. } => Self::Mate { winner: !us, distance: 0 },
            label if us == Color::White => label,
            Self::Centipawns(value) => Self::Centipawns(-value),
            Self::Mate { winner, distance } => Self::Mate { winner: !winner, distance },
        }
    }

    /// The 16-bit form: centipawns unchanged, mates beyond ±30,767.
    pub const fn to_bits(self) -> i16 {
        match self {
            Self::Centipawns(value) => value,
            Self::Mate { winner: Color::White, distance } => MATE - distance as i16,
            Self::Mate { winner: Color::Black, distance } => distance as i16 - MATE,
        }
    }

    /// The inverse of [`Label::to_bits`]; values that no label has are saturated.
    pub fn from_bits(bits: i16) -> Self {
        let nearest_mate = MATE - MAX_MATE_DISTANCE as i16;
        if bits >= nearest_mate {
            Self::Mate { winner: Color::White, distance: (MATE - bits) as u16 }
        } else if bits <= -nearest_mate {
            let distance = if bits == i16::MIN { 0 } else { bits + MATE };
            Self::Mate { winner: Color::Black, distance: distance as u16 }
        } else {
            Self::Centipawns(bits.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS))
        }
    }

    /// The label with its centipawns multiplied by `factor`; mates are unchanged.
    pub fn scaled(self, factor: f64) -> Self {
        match self {
            Self::Centipawns(value) => Self::centipawns((f64::from(value) * factor).round() as i64),
            mate @ Self::Mate { .. } => mate,
        }
    }

    /// True if the label is a mate.
    pub const fn is_mate(self) -> bool {
        matches!(self, Self::Mate { .. })
    }

    /// Centipawns for arithmetic: a mate counts as ±[`MAX_CENTIPAWNS`].
    pub const fn as_centipawns(self) -> i32 {
        match self {
            Self::Centipawns(value) => value as i32,
            Self::Mate { winner: Color::White, .. } => MAX_CENTIPAWNS as i32,
            Self::Mate { winner: Color::Black, .. } => -(MAX_CENTIPAWNS as i32),
        }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Centipawns(0) => out.write_str("0"),
            Self::Centipawns(value) => write!(out, "{value:+}"),
            Self::Mate { winner: Color::White, distance } => write!(out, "#+{distance}"),
            Self::Mate { winner: Color::Black, distance } => write!(out, "#-{distance}"),
        }
    }
}

/// The unit of the numbers in a text file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum LabelUnit {
    /// Whole centipawns.
    #[default]
    Centipawns,
    /// Pawns, with or without decimals: 0.35 is 35 centipawns.
    Pawns,
}

/// A field without surrounding spaces and byte-order marks.
pub(crate) fn trim(mut text: &[u8]) -> &[u8] {
    loop {
        let before = text.len();
        text = text.trim_ascii();
        text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        text = text.strip_suffix(b"\xEF\xBB\xBF").unwrap_or(text);
        if text.len() == before {
            return text;
        }
    }
}

/// Parses an unsigned number of 1 to 9 digits.
pub(crate) fn parse_digits(text: &[u8]) -> Option<u64> {
    if text.is_empty() || text.len() > 9 {
        return None;
    }
    text.iter().try_fold(0, |value, &byte| byte.is_ascii_digit().then(|| value * 10 + u64::from(byte - b'0')))
}

/// True for an empty field, and for what pandas, R and others write in its place.
pub(crate) fn is_missing(text: &[u8]) -> bool {
    let names: [&[u8]; 6] = [b"", b"nan", b"na", b"<na>", b"null", b"none"];
    names.iter().any(|name| trim(text).eq_ignore_ascii_case(name))
}

/// Parses a whole number, also in a column of floats: `36.0`, `36,0` or `1e+05`.
pub(crate) fn parse_whole(text: &[u8]) -> Option<i64> {
    let (sign, digits) = match text {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] | digits => (1, digits),
    };
    parse_digits(digits).map(|value| sign * value as i64).or_else(|| {
        decimal(text).filter(|number| number.fract() == 0.0 && number.abs() < 1e9).map(|number| number as i64)
    })
}

/// Parses a number with a decimal point or comma, and perhaps an exponent.
pub(crate) fn decimal(text: &[u8]) -> Option<f64> {
    let is_number = text.iter().all(|byte| byte.is_ascii_digit() || b"+-.,eE".contains(byte));
    std::str::from_utf8(text).ok().filter(|_| is_number)?.replace(',', ".").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Label> {
        Label::parse(text.as_bytes(), Color::Black)
    }

    #[test]
    fn labels_of_the_wild_are_read() {
        assert_eq!(parse("-10"), Some(Label::Centipawns(-10)));
        assert_eq!(parse("#-2"), Some(Label::Mate { winner: Color::Black, distance: 2 }));
        for (text, label) in [
            ("+56", "+56"),
            ("0", "0"),
            ("\u{feff}+23", "+23"),
            (" 15312 \r", "+15312"),
            ("99999999", "+30000"),
            ("-68.0", "-68"),
            ("36,00", "+36"),
            ("-0.0", "0"),
            ("1e+05", "+30000"),
            ("#+3", "#+3"),
            ("#3", "#+3"),
            ("#0", "#+0"),
            ("#-2.0", "#-2"),
        ] {
            assert_eq!(parse(text).map(|label| label.to_string()).as_deref(), Some(label), "{text}");
        }
        for text in ["", "+", "-", "#", "#+", "0.35", "0,5", "1e-3", "--3", "+-3", "12a", "nan", "0x10", "9999999999"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn centipawns_are_clipped_and_mates_are_plus_or_minus_one() {
        for (text, value) in [("250", 0.25), ("-1700", -1.0), ("#-1", -1.0), ("#30", 1.0)] {
            assert!((parse(text).expect("a label").clipped() - value).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn scores_are_turned_to_white() {
        for (reported_score, us, label) in [
            (ReportedScore::Centipawns(31), Color::White, "+31"),
            (ReportedScore::Centipawns(31), Color::Black, "-31"),
            (ReportedScore::Centipawns(0), Color::Black, "0"),
            (ReportedScore::Centipawns(i32::MIN), Color::Black, "+30000"),
            (ReportedScore::Mate(3), Color::White, "#+3"),
            (ReportedScore::Mate(3), Color::Black, "#-3"),
            (ReportedScore::Mate(-2), Color::White, "#-2"),
            (ReportedScore::Mate(-2), Color::Black, "#+2"),
            (ReportedScore::Mate(i32::MIN), Color::White, "#-2000"),
        ] {
            assert_eq!(Label::of_reported_score(reported_score, us).to_string(), label);
        }
    }

    #[test]
    fn pawns_are_read_as_centipawns() {
        let parse = |text: &str| Label::parse_in(text.as_bytes(), Color::White, LabelUnit::Pawns);
        for (text, value) in
            [("0.35", 35), ("-1.2", -120), ("+2", 200), (" .005\r", 1), ("999999", 30_000), ("0,5", 50)]
        {
            assert_eq!(parse(text), Some(Label::Centipawns(value)), "{text}");
        }
        assert_eq!(parse("#-2").map(|label| label.to_string()), Some("#-2".to_owned()));
        for text in ["", ".", "-", "1.2.3", "nan", "inf", "--1"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn labels_from_the_side_to_move_are_turned_and_a_mate_on_the_board_is_lost_for_it() {
        for (text, for_white, for_black) in [
            ("+56", "+56", "-56"),
            ("0", "0", "0"),
            ("#+3", "#+3", "#-3"),
            ("#-1", "#-1", "#+1"),
            ("#0", "#-0", "#+0"),
            ("#-0", "#-0", "#+0"),
            ("#+0", "#-0", "#+0"),
        ] {
            for (us, expected) in [(Color::White, for_white), (Color::Black, for_black)] {
                let label = Label::parse(text.as_bytes(), us).map(|label| label.from_side_to_move(us).to_string());
                assert_eq!(label.as_deref(), Some(expected), "{text} {us:?}");
            }
        }
        for (text, us, expected) in
            [("#-0", Color::Black, "#-0"), ("#+0", Color::White, "#+0"), ("#0", Color::Black, "#+0")]
        {
            let label = Label::parse(text.as_bytes(), us).map(|label| label.to_string());
            assert_eq!(label.as_deref(), Some(expected), "from White's view: {text} {us:?}");
        }
    }

    #[test]
    fn bits_and_text_keep_every_label() {
        for bits in i16::MIN..=i16::MAX {
            let label = Label::from_bits(bits);
            assert_eq!(Label::from_bits(label.to_bits()), label);
            assert_eq!(parse(&label.to_string()), Some(label), "{bits}");
        }
    }

    #[test]
    fn scaling_leaves_mates_alone() {
        assert_eq!(Label::Centipawns(100).scaled(1.3), Label::Centipawns(130));
        assert_eq!(Label::Centipawns(-29_000).scaled(1.3), Label::Centipawns(-MAX_CENTIPAWNS));
        let mate = Label::Mate { winner: Color::Black, distance: 4 };
        assert_eq!(mate.scaled(1.3), mate);
    }
}
