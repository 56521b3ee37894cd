//! Text: the typeface, widths, line breaks.
//!
//! Widths are those of Arial, which every system has or replaces by a typeface of the same widths.

use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, TextStyle};

use super::color::Rgba;

/// The typeface, and those with the same metrics.
pub const FAMILY: &str = "Arimo, Arial, Liberation Sans, Helvetica, sans-serif";
/// Widths of letters in 2048ths of an em; others are as wide as most are.
const WIDTHS: [(i32, &str); 15] = [
    (391, "'"),
    (455, "ijl"),
    (532, "|"),
    (569, " !,./:;I[\\]ft"),
    (682, "()-`r{}\"²·"),
    (797, "*°"),
    (1024, "^Jcksvxyz"),
    (1196, "+<=>~×−±√≤≥"),
    (1251, "FTZ"),
    (1366, "&ABEKPSVXYΔ"),
    (1479, "CDHNRUw"),
    (1593, "GOQ"),
    (1706, "Mm"),
    (1933, "%W"),
    (2079, "@—…"),
];
const USUAL_WIDTH: i32 = 1139;
/// How much wider bold letters are, in hundredths.
const BOLD_WIDTH: i32 = 108;

/// Size of notes.
pub const TINY: i32 = 24;
/// Size of labels and legends.
pub const SMALL: i32 = 26;
/// Size of titles, which are bold.
pub const LARGE: i32 = 40;

/// plotters writes a font size of its size divided by this.
const PLOTTERS_EM: f64 = 1.24;

/// Which side of a text its position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// The text starts at its position.
    Left,
    /// The text is centred at its position.
    Middle,
    /// The text ends at its position.
    Right,
}

/// The style of a text that is vertically centred at its position.
pub(crate) fn style(size: i32, color: Rgba, align: Align) -> TextStyle<'static> {
    let horizontal = match align {
        Align::Left => HPos::Left,
        Align::Middle => HPos::Center,
        Align::Right => HPos::Right,
    };
    let style = if size >= LARGE { FontStyle::Bold } else { FontStyle::Normal };
    let font = FontDesc::new(FontFamily::Name(FAMILY), f64::from(size) * PLOTTERS_EM, style);
    font.color(&color).pos(Pos::new(horizontal, VPos::Center))
}

/// Width of a line of text in units.
pub fn width(text: &str, size: i32) -> i32 {
    let width =
        |letter| WIDTHS.iter().find(|(_, letters)| letters.contains(letter)).map_or(USUAL_WIDTH, |&(width, _)| width);
    let em = text.chars().map(width).sum::<i32>() * size;
    (if size >= LARGE { em / 100 * BOLD_WIDTH } else { em } + 2047) / 2048
}

/// The text without characters that are invalid in XML.
pub(crate) fn clean(text: &str) -> String {
    let invalid = |letter: char| letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|letter| if invalid(letter) { ' ' } else { letter }).collect()
}

/// The text, shortened to a width if it is longer.
pub(crate) fn fit(text: &str, size: i32, room: i32) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let shortened = |length: usize| format!("{}…", letters[..length].iter().collect::<String>().trim_end());
    let lengths: Vec<usize> = (0..letters.len()).collect();
    let fitting = lengths.partition_point(|&length| width(&shortened(length), size) <= room);
    shortened(fitting.saturating_sub(1))
}

/// Breaks a text after spaces and commas into lines no wider than `room`, at most `most` of them; what is longer is
/// shortened.
pub(crate) fn wrap(text: &str, size: i32, room: i32, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in text.split_inclusive([' ', ',']) {
        let full = lines.len() == most;
        match lines.last_mut() {
            Some(line) if full || width(format!("{line}{part}").trim_end(), size) <= room => line.push_str(part),
            _ => lines.push(part.to_owned()),
        }
    }
    lines.iter().map(|line| fit(line.trim(), size, room)).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_correct() {
        assert_eq!((width("", SMALL), width("1234", 20), width("ill", 20)), (0, 45, 14));
        assert!(width("rows", LARGE) > 2 * width("rows", LARGE / 2));
    }

    #[test]
    fn long_texts_are_broken_and_shortened() {
        let room = width("one two three", SMALL);
        assert_eq!(wrap("one two three four", SMALL, room, 3), ["one two three", "four"]);
        assert_eq!(wrap("one two three four five six", SMALL, room, 1).len(), 1);
        let short = fit("one two three four", SMALL, room);
        assert!(short.ends_with('…') && short.starts_with("one two") && width(&short, SMALL) <= room, "{short}");
        assert_eq!(clean("a\u{1}b\nc"), "a b c");
    }
}
