//! A figure as a list of shapes, before it is rendered to SVG or pixels. Lengths are CSS pixels, y grows downwards.
//!
//! Both formats render the same list in the same order, so they show the same figure.

use super::font::{Fonts, Weight};

/// A position on the page.
pub(super) type Point = (f64, f64);

/// A colour; alpha 1 is opaque.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Color {
    pub(super) red: u8,
    pub(super) green: u8,
    pub(super) blue: u8,
    pub(super) alpha: f64,
}

impl Color {
    /// From `0xRRGGBB`.
    pub(super) const fn hex(code: u32) -> Self {
        Self { red: (code >> 16) as u8, green: (code >> 8) as u8, blue: code as u8, alpha: 1.0 }
    }

    /// The same colour with transparency.
    pub(super) const fn faded(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// Linear interpolation towards another colour.
    pub(super) fn towards(self, other: Self, share: f64) -> Self {
        let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8;
        Self {
            red: mix(self.red, other.red),
            green: mix(self.green, other.green),
            blue: mix(self.blue, other.blue),
            alpha: self.alpha + (other.alpha - self.alpha) * share,
        }
    }
}

/// An axis-aligned rectangle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn width(self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(self) -> f64 {
        self.bottom - self.top
    }

    /// A rectangle centred at a position, extending `x` and `y` to each side.
    pub(super) fn around(at: Point, x: f64, y: f64) -> Self {
        Self { left: at.0 - x, top: at.1 - y, right: at.0 + x, bottom: at.1 + y }
    }

    pub(super) fn meets(self, other: Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }
}

/// Stroke style.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pen {
    pub(super) color: Color,
    pub(super) width: f64,
    /// Lengths of dash and gap; `None` is solid.
    pub(super) dash: Option<(f64, f64)>,
}

impl Pen {
    pub(super) const fn new(color: Color, width: f64) -> Self {
        Self { color, width, dash: None }
    }

    pub(super) const fn dashed(self, dash: f64, gap: f64) -> Self {
        Self { dash: Some((dash, gap)), ..self }
    }
}

/// Which point of a text is at its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text; its position is on the baseline.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Text {
    pub(super) at: Point,
    pub(super) words: String,
    pub(super) size: f64,
    pub(super) weight: Weight,
    pub(super) anchor: Anchor,
    /// Rotation in degrees clockwise about its position.
    pub(super) turn: f64,
    pub(super) color: Color,
}

impl Text {
    pub(super) fn new(at: Point, words: impl Into<String>, size: f64, color: Color) -> Self {
        Self { at, words: words.into(), size, weight: Weight::Regular, anchor: Anchor::Start, turn: 0.0, color }
    }

    pub(super) fn bold(self) -> Self {
        Self { weight: Weight::Bold, ..self }
    }

    pub(super) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(super) fn turned(self, turn: f64) -> Self {
        Self { turn, ..self }
    }

    /// Shifts the text down so that its capitals are vertically centred at its position.
    pub(super) fn centred(self) -> Self {
        let lower = self.size * 0.35;
        Self { at: (self.at.0, self.at.1 + lower), ..self }
    }
}

/// A drawing element.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Shape {
    /// Rectangles of one colour, without antialiasing.
    Areas {
        areas: Vec<Area>,
        fill: Color,
    },
    Line {
        points: Vec<Point>,
        pen: Pen,
    },
    Polygon {
        points: Vec<Point>,
        fill: Color,
        edge: Option<Pen>,
    },
    Circle {
        at: Point,
        radius: f64,
        fill: Color,
        edge: Option<Pen>,
    },
    Text(Text),
}

/// A list of shapes.
pub(super) struct Canvas {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) fonts: Fonts,
    pub(super) shapes: Vec<Shape>,
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64, fonts: Fonts) -> Self {
        Self { width, height, fonts, shapes: Vec::new() }
    }

    pub(super) fn areas(&mut self, areas: Vec<Area>, fill: Color) {
        self.shapes.push(Shape::Areas { areas, fill });
    }

    pub(super) fn line(&mut self, points: &[Point], pen: Pen) {
        self.shapes.push(Shape::Line { points: points.to_vec(), pen });
    }

    pub(super) fn polygon(&mut self, points: &[Point], fill: Color, edge: Option<Pen>) {
        self.shapes.push(Shape::Polygon { points: points.to_vec(), fill, edge });
    }

    pub(super) fn circle(&mut self, at: Point, radius: f64, fill: Color, edge: Option<Pen>) {
        self.shapes.push(Shape::Circle { at, radius, fill, edge });
    }

    /// Adds a text unless it is empty.
    pub(super) fn text(&mut self, text: Text) {
        if !text.words.is_empty() {
            self.shapes.push(Shape::Text(text));
        }
    }
}
