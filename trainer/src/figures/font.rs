//! The embedded font of the figures: text widths and glyph outlines.
//!
//! Arimo has the same metrics as Arial, which every system has or substitutes, so a browser that renders the SVG with
//! Arial keeps the layout computed here.

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::ReadError;
use skrifa::{FontRef, GlyphId, MetadataProvider};

static REGULAR: &[u8] = include_bytes!("../../assets/Arimo-Regular.ttf");
static BOLD: &[u8] = include_bytes!("../../assets/Arimo-Bold.ttf");

/// Font weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// The font in all weights.
#[derive(Clone)]
pub(super) struct Fonts {
    regular: FontRef<'static>,
    bold: FontRef<'static>,
}

impl Fonts {
    pub(super) fn load() -> Result<Self, ReadError> {
        Ok(Self { regular: FontRef::new(REGULAR)?, bold: FontRef::new(BOLD)? })
    }

    fn font(&self, weight: Weight) -> &FontRef<'static> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// The glyphs of a text with their offsets, and its total width.
    fn glyphs(&self, text: &str, size: f64, weight: Weight) -> (Vec<(GlyphId, f64)>, f64) {
        let font = self.font(weight);
        let metrics = font.glyph_metrics(Size::new(size as f32), LocationRef::default());
        let (charmap, mut at) = (font.charmap(), 0.0);
        let mut glyphs = Vec::with_capacity(text.len());
        for letter in text.chars() {
            // Glyph 0 is the placeholder box for characters that the font lacks.
            let glyph = charmap.map(letter).unwrap_or_default();
            glyphs.push((glyph, at));
            at += f64::from(metrics.advance_width(glyph).unwrap_or_default());
        }
        (glyphs, at)
    }

    /// Width of a line of text.
    pub(super) fn width(&self, text: &str, size: f64, weight: Weight) -> f64 {
        self.glyphs(text, size, weight).1
    }

    /// Draws a line of text with the pen, starting at the origin, y upwards.
    pub(super) fn draw(&self, text: &str, size: f64, weight: Weight, pen: &mut impl OutlinePen) {
        let outlines = self.font(weight).outline_glyphs();
        for (glyph, at) in self.glyphs(text, size, weight).0 {
            if let Some(outline) = outlines.get(glyph) {
                let settings = DrawSettings::unhinted(Size::new(size as f32), LocationRef::default());
                // A glyph that cannot be drawn stays blank; the tests draw all glyphs in use.
                let _ = outline.draw(settings, &mut Shifted { pen, by: at as f32 });
            }
        }
    }

    /// Wraps a text at spaces into lines no wider than `room`, if words allow it.
    pub(super) fn wrap(&self, text: &str, size: f64, weight: Weight, room: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line} {word}"), size, weight) <= room => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }
}

/// A pen with a horizontal offset.
struct Shifted<'a, P> {
    pen: &'a mut P,
    by: f32,
}

impl<P: OutlinePen> OutlinePen for Shifted<'_, P> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.pen.move_to(x + self.by, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.pen.line_to(x + self.by, y);
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        self.pen.quad_to(cx0 + self.by, cy0, x + self.by, y);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.pen.curve_to(cx0 + self.by, cy0, cx1 + self.by, cy1, x + self.by, y);
    }

    fn close(&mut self) {
        self.pen.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn font_has_every_character_that_figures_use() {
        let fonts = Fonts::load().expect("the embedded fonts");
        for weight in [Weight::Regular, Weight::Bold] {
            for letter in (' '..='~').chain("²±−×–…·≤≥µσ".chars()) {
                assert!(fonts.font(weight).charmap().map(letter).is_some(), "{letter} {weight:?}");
            }
        }
    }

    #[test]
    fn widths_are_correct_and_lines_break_at_words() {
        let fonts = Fonts::load().expect("the embedded fonts");
        let width = |text: &str| fonts.width(text, 10.0, Weight::Regular);
        // Digits of this typeface are 1139/2048 em wide.
        assert!((width("1234") - 4.0 * 10.0 * 1139.0 / 2048.0).abs() < 0.05, "{}", width("1234"));
        assert!(fonts.width("rows", 10.0, Weight::Bold) > width("rows"));
        let lines = fonts.wrap("one two three four", 10.0, Weight::Regular, width("one two three"));
        assert_eq!(lines, ["one two three", "four"]);
    }
}
