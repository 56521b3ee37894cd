//! Title, subtitle and legend: a key and a name for each series.

use super::color::{INK, PAGE, Rgba, SOFT};
use super::page::{Drawing, MARGIN, Page, Point};
use super::text::{Align, LARGE, SMALL, clean, fit, width, wrap};

const SUBTITLE: i32 = 28;
const TITLE_LINES: usize = 2;
const SUBTITLE_LINES: usize = 3;

/// What the legend shows before the name of a series.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LegendKey {
    /// A marker, as of a mean.
    Marker(Marker, Rgba),
    /// A small disc, as of a single value.
    Dot(Rgba),
    /// A disc, as of a point of a line.
    Disc(Rgba),
    /// A line.
    Line(Rgba),
    /// A dashed line.
    Dashed(Rgba),
    /// A reference level.
    Level,
}

/// Markers; their shapes differ in case colours are hard to distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    /// A square that stands on a corner.
    Diamond,
    /// A square.
    Square,
    /// A triangle that points up.
    Triangle,
}

impl Marker {
    /// The marker of a series.
    pub fn of(index: usize) -> Self {
        [Self::Diamond, Self::Square, Self::Triangle][index % 3]
    }
}

impl Page<'_> {
    /// Draws title, subtitle and legend; returns the y position where a plot may start.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn heading(&self, title: &str, subtitle: &str, legend: &[(LegendKey, String)]) -> Drawing<i32> {
        let room = self.width - 2 * MARGIN;
        let mut y = 14;
        for line in wrap(&clean(title), LARGE, room, TITLE_LINES) {
            y += 48;
            self.text((MARGIN, y), &line, LARGE, INK, Align::Left)?;
        }
        y += 4;
        for line in wrap(&clean(subtitle), SUBTITLE, room, SUBTITLE_LINES) {
            y += 40;
            self.text((MARGIN, y), &line, SUBTITLE, SOFT, Align::Left)?;
        }
        Ok(if legend.is_empty() { y + 60 } else { draw_legend(self, legend, y + 56)? + 64 })
    }

    /// Draws a marker with a light edge.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn marker(&self, at: Point, marker: Marker, color: Rgba) -> Drawing {
        self.polygon(&corners(at, marker, 16), PAGE)?;
        self.polygon(&corners(at, marker, 13), color)
    }
}

fn corners((x, y): Point, marker: Marker, size: i32) -> Vec<Point> {
    match marker {
        Marker::Diamond => vec![(x, y - size), (x + size, y), (x, y + size), (x - size, y)],
        Marker::Square => {
            let size = size * 3 / 4 + 1;
            vec![(x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size)]
        }
        Marker::Triangle => vec![(x, y - size), (x + size, y + size * 3 / 4), (x - size, y + size * 3 / 4)],
    }
}

/// Draws a legend, broken into lines; returns the y position of its last line.
fn draw_legend(page: &Page<'_>, legend: &[(LegendKey, String)], mut y: i32) -> Drawing<i32> {
    let mut x = MARGIN;
    for (key, name) in legend {
        let is_line = matches!(key, LegendKey::Line(_) | LegendKey::Dashed(_) | LegendKey::Level);
        let (wide, gap) = if is_line { (56, 16) } else { (28, 12) };
        let name = fit(&clean(name), SMALL, page.width - 2 * MARGIN - wide - gap);
        let length = wide + gap + width(&name, SMALL);
        if x > MARGIN && x + length > page.width - MARGIN {
            (x, y) = (MARGIN, y + 44);
        }
        let middle = (x + wide / 2, y);
        match *key {
            LegendKey::Marker(marker, color) => page.marker(middle, marker, color)?,
            LegendKey::Dot(color) => page.disc(middle, 7, color)?,
            LegendKey::Disc(color) => page.disc(middle, 10, color)?,
            LegendKey::Line(color) => page.line(&[(x, y), (x + wide, y)], color, 4)?,
            LegendKey::Dashed(color) => page.dashed(&[(x, y), (x + wide, y)], color, 4)?,
            LegendKey::Level => page.dotted(&[(x, y), (x + wide, y)], INK)?,
        }
        page.text((x + wide + gap, y), &name, SMALL, INK, Align::Left)?;
        x += length + 48;
    }
    Ok(y)
}
