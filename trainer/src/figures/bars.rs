//! Draws a grouped bar chart, with the value above each bar and an error bar at its end.

use super::canvas::{Anchor, Area, Canvas, Pen, Text};
use super::categories::Categories;
use super::figure::{Bar, Bars};
use super::font::Fonts;
use super::frame::{self, MARGIN, Marker, SMALL, Sign};
use super::palette::{INK, PAGE, series};
use super::scale::{Scale, Spread, padded, short};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 480.0;
/// Fraction of a group's width that is filled by bars.
const FILLED: f64 = 0.76;
/// Half the width of the error bar caps.
const CAP: f64 = 4.0;
const TICKS: usize = 6;

pub(super) fn draw(figure: &Bars, fonts: Fonts) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, fonts);
    let legend: Vec<(Sign, String)> = figure
        .series
        .iter()
        .enumerate()
        .map(|(index, (name, _))| (Sign::Marker(Marker::Square, series(index)), name.clone()))
        .collect();
    let top =
        frame::heading(&mut canvas, &figure.title, &figure.subtitle, if legend.len() > 1 { &legend } else { &[] });
    let ends = figure.series.iter().flat_map(|(_, bars)| bars).flatten().flat_map(|bar| {
        let error = bar.error.unwrap_or(0.0);
        [bar.value - error, bar.value + error]
    });
    let (low, high) = ends.fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    let (low, high) = padded(low, if high > low { high } else { low + 1.0 }, TICKS);
    let y = Scale::new(Spread::Even, (low, high), (0.0, 1.0));
    let ticks = y.ticks(TICKS);
    let left = frame::left_of(&canvas, &ticks, &figure.y_label);
    let categories = Categories::named(&figure.names);
    let plot = categories.make_room(&canvas, Area { left, top, right: WIDTH - MARGIN, bottom: HEIGHT });
    let y = y.on((plot.bottom, plot.top));
    frame::vertical(&mut canvas, plot, y, &ticks, &figure.y_label);
    let width = categories.slot(plot) * FILLED / figure.series.len() as f64;
    for (number, (_, bars)) in figure.series.iter().enumerate() {
        let shift = (number as f64 + 0.5 - figure.series.len() as f64 / 2.0) * width;
        for (name, bar) in figure.names.iter().zip(bars) {
            if let Some(bar) = bar {
                one(&mut canvas, y, categories.at(plot, name) + shift, width, number, *bar);
            }
        }
    }
    categories.draw(&mut canvas, plot, &figure.x_label);
    canvas
}

fn one(canvas: &mut Canvas, y: Scale, middle: f64, width: f64, number: usize, bar: Bar) {
    let (foot, end) = (y.at(0.0), y.at(bar.value));
    let half = width * 0.46;
    let area = Area { left: middle - half, top: end.min(foot), right: middle + half, bottom: end.max(foot) };
    canvas.areas(vec![area], series(number));
    let mut above = end.min(foot);
    if let Some(error) = bar.error {
        let (upper, lower) = (y.at(bar.value + error), y.at(bar.value - error));
        for pen in [Pen::new(PAGE.faded(0.7), 3.4), Pen::new(INK, 1.4)] {
            canvas.line(&[(middle, upper), (middle, lower)], pen);
            for end in [upper, lower] {
                canvas.line(&[(middle - CAP, end), (middle + CAP, end)], pen);
            }
        }
        above = above.min(upper);
    }
    let words = short(bar.value);
    canvas.text(Text::new((middle, above - 5.0), words, SMALL, INK).anchored(Anchor::Middle));
}
