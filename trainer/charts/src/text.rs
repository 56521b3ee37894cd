//! Text: the embedded typeface, widths, line breaks.
//!
//! Arimo has the same metrics as Arial, which every system has or substitutes, so a browser that renders the SVG with
//! Arial keeps the layout computed here.

use std::sync::OnceLock;

use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, TextStyle, register_font};

use super::color::Rgba;

/// The typeface, and those with the same metrics.
pub const FAMILY: &str = "Arimo, Arial, Liberation Sans, Helvetica, sans-serif";
/// The file of the typeface.
static REGULAR: &[u8] = include_bytes!("../assets/Arimo-Regular.ttf");
/// The file of its bold style.
static BOLD: &[u8] = include_bytes!("../assets/Arimo-Bold.ttf");

/// Size of notes.
pub const TINY: i32 = 24;
/// Size of labels and legends.
pub const SMALL: i32 = 26;
/// Size of titles, which are bold.
pub const LARGE: i32 = 40;

/// plotters writes a font size of its size divided by this.
const PLOTTERS_EM: f64 = 1.24;
/// plotters measures a font by its height, ascender to descender, of 2288 parts of the 2048 parts of an em.
const HEIGHT: f64 = 2288.0 / 2048.0;

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

/// Makes the typeface known to plotters; false if its files are invalid.
pub(crate) fn register() -> bool {
    static VALID: OnceLock<bool> = OnceLock::new();
    *VALID.get_or_init(|| {
        let styles = [(FontStyle::Normal, REGULAR), (FontStyle::Bold, BOLD)];
        styles.into_iter().all(|(style, file)| register_font(FAMILY, style, file).is_ok())
    })
}

fn font(size: f64, scale: f64) -> FontDesc<'static> {
    let style = if size >= f64::from(LARGE) { FontStyle::Bold } else { FontStyle::Normal };
    FontDesc::new(FontFamily::Name(FAMILY), size * scale, style)
}

/// The style of a text that is vertically centred at its position.
pub(crate) fn style(size: i32, color: Rgba, align: Align) -> TextStyle<'static> {
    let horizontal = match align {
        Align::Left => HPos::Left,
        Align::Middle => HPos::Center,
        Align::Right => HPos::Right,
    };
    font(f64::from(size), PLOTTERS_EM).color(&color).pos(Pos::new(horizontal, VPos::Center))
}

/// Width of a line of text in units, once a chart has been drawn.
pub fn width(text: &str, size: i32) -> i32 {
    // plotters rounds down to whole units, hence a large font.
    let factor = 100.0;
    let measured = font(f64::from(size), HEIGHT * factor).box_size(text).map_or(0.0, |(width, _)| f64::from(width));
    (measured / factor).ceil() as i32
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
        assert!(register());
        // Digits of this typeface are 1139/2048 em wide.
        let expected = 4.0 * 200.0 * 1139.0 / 2048.0;
        assert!((f64::from(width("1234", 20)) - expected / 10.0).abs() <= 1.0, "{}", width("1234", 20));
        assert!(width("rows", LARGE) > 2 * width("rows", LARGE / 2));
    }

    #[test]
    fn long_texts_are_broken_and_shortened() {
        assert!(register());
        let room = width("one two three", SMALL);
        assert_eq!(wrap("one two three four", SMALL, room, 3), ["one two three", "four"]);
        assert_eq!(wrap("one two three four five six", SMALL, room, 1).len(), 1);
        let short = fit("one two three four", SMALL, room);
        assert!(short.ends_with('…') && short.starts_with("one two") && width(&short, SMALL) <= room, "{short}");
        assert_eq!(clean("a\u{1}b\nc"), "a b c");
    }
}
