//! Renders a canvas to SVG. Text remains text, so it can be searched and copied.

use std::fmt::Write;

use super::canvas::{Anchor, Area, Canvas, Color, Pen, Point, Shape, Text};
use super::font::Weight;

/// The embedded font, then fonts with the same metrics.
const FAMILY: &str = "Arimo, Arial, 'Liberation Sans', Helvetica, sans-serif";

/// Renders the whole file; `title` is read by screen readers.
pub(super) fn svg(canvas: &Canvas, title: &str) -> String {
    let (width, height) = (number(canvas.width), number(canvas.height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"{FAMILY}\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        escaped(title)
    );
    for shape in &canvas.shapes {
        // Writing to a string cannot fail.
        let _ = element(&mut out, shape);
    }
    out.push_str("</svg>\n");
    out
}

fn element(out: &mut String, shape: &Shape) -> std::fmt::Result {
    match shape {
        Shape::Areas { areas, fill } => {
            let path: String = areas.iter().map(|&area| rectangle(area)).collect();
            writeln!(out, "<path d=\"{path}\"{} shape-rendering=\"crispEdges\"/>", paint("fill", Some(*fill)))
        }
        Shape::Line { points, pen } => {
            writeln!(out, "<polyline points=\"{}\" fill=\"none\"{}/>", places(points), stroke(Some(*pen)))
        }
        Shape::Polygon { points, fill, edge } => {
            let (fill, edge) = (paint("fill", Some(*fill)), stroke(*edge));
            writeln!(out, "<polygon points=\"{}\"{fill}{edge}/>", places(points))
        }
        Shape::Circle { at, radius, fill, edge } => {
            let (fill, edge) = (paint("fill", Some(*fill)), stroke(*edge));
            let (x, y) = (number(at.0), number(at.1));
            writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"{fill}{edge}/>", number(*radius))
        }
        Shape::Text(text) => write_text(out, text),
    }
}

fn write_text(out: &mut String, text: &Text) -> std::fmt::Result {
    let (x, y) = (number(text.at.0), number(text.at.1));
    write!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\"{}", number(text.size), paint("fill", Some(text.color)))?;
    if text.weight == Weight::Bold {
        out.push_str(" font-weight=\"bold\"");
    }
    match text.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    if text.turn != 0.0 {
        write!(out, " transform=\"rotate({} {x} {y})\"", number(text.turn))?;
    }
    writeln!(out, ">{}</text>", escaped(&text.words))
}

fn rectangle(area: Area) -> String {
    let (x, y) = (number(area.left), number(area.top));
    let (width, height) = (number(area.width()), number(area.height()));
    format!("M{x} {y}h{width}v{height}h-{width}z")
}

fn places(points: &[Point]) -> String {
    points.iter().map(|&(x, y)| format!("{},{}", number(x), number(y))).collect::<Vec<_>>().join(" ")
}

fn paint(what: &str, color: Option<Color>) -> String {
    let Some(color) = color else { return format!(" {what}=\"none\"") };
    let mut text = format!(" {what}=\"#{:02x}{:02x}{:02x}\"", color.red, color.green, color.blue);
    if color.alpha < 1.0 {
        let _ = write!(text, " {what}-opacity=\"{}\"", number(color.alpha));
    }
    text
}

fn stroke(pen: Option<Pen>) -> String {
    let Some(pen) = pen else { return String::new() };
    let mut text = paint("stroke", Some(pen.color));
    let _ = write!(text, " stroke-width=\"{}\" stroke-linejoin=\"round\"", number(pen.width));
    if let Some((dash, gap)) = pen.dash {
        let _ = write!(text, " stroke-dasharray=\"{} {}\"", number(dash), number(gap));
    }
    text
}

/// Formats with at most two decimals, without trailing zeros.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Escapes text content. Characters that are invalid in XML become spaces.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_trailing_zeros() {
        assert_eq!([1.0, 0.125, -0.001, 10.5, 100.0].map(number), ["1", "0.12", "0", "10.5", "100"]);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("R² < \"1\" & \n>"), "R² &lt; &quot;1&quot; &amp;  &gt;");
    }
}
