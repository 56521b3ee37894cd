//! Renders a canvas to PNG with the embedded font, independent of system fonts.

use skrifa::outline::OutlinePen;
use tiny_skia::{
    Color as SkiaColor, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash,
    Transform,
};

use super::canvas::{Anchor, Area, Canvas, Color, Pen, Point, Shape, Text};

/// Pixels per CSS pixel: sharp on high-density screens and in print.
const DENSITY: f64 = 2.0;

/// Renders and encodes the PNG.
pub(super) fn png(canvas: &Canvas) -> Result<Vec<u8>, String> {
    let size = |length: f64| (length * DENSITY).ceil() as u32;
    let (width, height) = (size(canvas.width), size(canvas.height));
    let mut pixmap =
        Pixmap::new(width, height).ok_or_else(|| format!("invalid image size {width} × {height} pixels"))?;
    pixmap.fill(SkiaColor::WHITE);
    let mut raster = Raster { pixmap, page: Transform::from_scale(DENSITY as f32, DENSITY as f32) };
    for shape in &canvas.shapes {
        raster.draw(canvas, shape);
    }
    raster.pixmap.encode_png().map_err(|error| error.to_string())
}

struct Raster {
    pixmap: Pixmap,
    page: Transform,
}

impl Raster {
    fn draw(&mut self, canvas: &Canvas, shape: &Shape) {
        match shape {
            Shape::Areas { areas, fill } => self.areas(areas, *fill),
            Shape::Line { points, pen } => self.stroke(outline(points, Ends::Open), *pen),
            Shape::Polygon { points, fill, edge } => self.shape(outline(points, Ends::Joined), *fill, *edge),
            Shape::Circle { at, radius, fill, edge } => {
                self.shape(PathBuilder::from_circle(at.0 as f32, at.1 as f32, *radius as f32), *fill, *edge);
            }
            Shape::Text(text) => self.text(canvas, text),
        }
    }

    fn areas(&mut self, areas: &[Area], fill: Color) {
        let mut paint = paint(fill);
        paint.anti_alias = false;
        for area in areas {
            let [left, top, right, bottom] = [area.left, area.top, area.right, area.bottom].map(|value| value as f32);
            if let Some(rect) = Rect::from_ltrb(left, top, right, bottom) {
                self.pixmap.fill_rect(rect, &paint, self.page, None);
            }
        }
    }

    /// A path without points or extent is not drawn.
    fn shape(&mut self, path: Option<Path>, fill: Color, edge: Option<Pen>) {
        if let Some(path) = &path {
            self.pixmap.fill_path(path, &paint(fill), FillRule::Winding, self.page, None);
        }
        if let Some(pen) = edge {
            self.stroke(path, pen);
        }
    }

    fn stroke(&mut self, path: Option<Path>, pen: Pen) {
        let Some(path) = path else { return };
        let dash = pen.dash.and_then(|(dash, gap)| StrokeDash::new(vec![dash as f32, gap as f32], 0.0));
        let stroke = Stroke {
            width: pen.width as f32,
            dash,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        self.pixmap.stroke_path(&path, &paint(pen.color), &stroke, self.page, None);
    }

    fn text(&mut self, canvas: &Canvas, text: &Text) {
        let length = canvas.fonts.width(&text.words, text.size, text.weight);
        let start = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -length / 2.0,
            Anchor::End => -length,
        };
        let mut pen = Letters(PathBuilder::new());
        canvas.fonts.draw(&text.words, text.size, text.weight, &mut pen);
        let Some(path) = pen.0.finish() else { return };
        let place = self
            .page
            .pre_translate(text.at.0 as f32, text.at.1 as f32)
            .pre_concat(Transform::from_rotate(text.turn as f32))
            .pre_translate(start as f32, 0.0)
            .pre_scale(1.0, -1.0);
        self.pixmap.fill_path(&path, &paint(text.color), FillRule::Winding, place, None);
    }
}

fn paint(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(color.red, color.green, color.blue, (color.alpha * 255.0).round() as u8);
    paint
}

/// Whether a path is closed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Open,
    Joined,
}

fn outline(points: &[Point], ends: Ends) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (index, &(x, y)) in points.iter().enumerate() {
        if index == 0 {
            path.move_to(x as f32, y as f32);
        } else {
            path.line_to(x as f32, y as f32);
        }
    }
    if ends == Ends::Joined {
        path.close();
    }
    path.finish()
}

/// Collects glyph outlines.
struct Letters(PathBuilder);

impl OutlinePen for Letters {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        self.0.quad_to(cx0, cy0, x, y);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.0.cubic_to(cx0, cy0, cx1, cy1, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
