//! Draws the distribution of values along an axis: the median with the central 50 % and 90 %, and the number of rows
//! below.

use super::canvas::{Anchor, Area, Canvas, Pen, Point, Text};
use super::figure::{Band, Bands};
use super::font::Fonts;
use super::frame::{self, MARGIN, Marker, SMALL, Sign};
use super::palette::{INK, SOFT, ramp, series};
use super::scale::{Scale, Spread, short};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 600.0;
/// Height of the bars below, and the gap above them.
const BARS: f64 = 70.0;
const BETWEEN: f64 = 30.0;

pub(super) fn draw(figure: &Bands, fonts: Fonts) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, fonts);
    let (wide, narrow) = (ramp(0.2), ramp(0.42));
    let legend = [
        (Sign::Marker(Marker::Square, wide), "90 % of the rows".to_owned()),
        (Sign::Marker(Marker::Square, narrow), "50 % of the rows".to_owned()),
        (Sign::Stroke(Pen::new(series(1), 2.4)), "median".to_owned()),
    ];
    let top = frame::heading(&mut canvas, &figure.title, &figure.subtitle, &legend);
    let y = Scale::new(Spread::Even, figure.ends, (0.0, 1.0));
    let ticks = y.ticks(4);
    let left = frame::left_of(&canvas, &ticks, &figure.y_label);
    let full = Area { left, top, right: WIDTH - MARGIN, bottom: HEIGHT - 62.0 };
    let plot = Area { bottom: full.bottom - BARS - BETWEEN, ..full };
    let y = y.on((plot.bottom, plot.top));
    let places = figure.bands.iter().map(|band| band.x);
    let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let x = Scale::new(Spread::Even, (low - 0.6, high + 0.6), (plot.left, plot.right));
    frame::vertical(&mut canvas, plot, y, &ticks, &figure.y_label);
    for stretch in figure.bands.chunk_by(|one, next| one.quantiles.is_some() == next.quantiles.is_some()) {
        for (ends, color) in [([0, 4], wide), ([1, 3], narrow)] {
            let upper = line(stretch, x, y, ends[1]);
            let lower = line(stretch, x, y, ends[0]);
            let around: Vec<Point> = upper.into_iter().chain(lower.into_iter().rev()).collect();
            if around.len() > 2 {
                canvas.polygon(&around, color, None);
            }
        }
        let median = line(stretch, x, y, 2);
        canvas.line(&median, Pen::new(series(1), 2.4));
        for point in median {
            canvas.circle(point, 3.0, series(1), None);
        }
    }
    let zero = y.at(0.0).round() + 0.5;
    canvas.line(&[(plot.left, zero), (plot.right, zero)], Pen::new(SOFT, 1.0).dashed(5.0, 4.0));
    rows(&mut canvas, Area { top: full.bottom - BARS, ..full }, x, figure);
    canvas
}

/// One quantile of all non-empty bands.
fn line(bands: &[Band], x: Scale, y: Scale, quantile: usize) -> Vec<Point> {
    bands.iter().filter_map(|band| Some((x.at(band.x), y.at(band.quantiles?[quantile])))).collect()
}

fn rows(canvas: &mut Canvas, plot: Area, x: Scale, figure: &Bands) {
    let most = figure.bands.iter().map(|band| band.rows).max().unwrap_or(1).max(1) as f64;
    let y = Scale::new(Spread::Even, (0.0, most), (plot.bottom, plot.top));
    let half = 0.36 * (x.at(1.0) - x.at(0.0));
    let bars = figure.bands.iter().map(|band| {
        let middle = x.at(band.x);
        Area { left: middle - half, top: y.at(band.rows as f64), right: middle + half, bottom: plot.bottom }
    });
    canvas.areas(bars.collect(), ramp(0.3));
    let at = (MARGIN + SMALL - 4.0, f64::midpoint(plot.top, plot.bottom));
    canvas.text(Text::new(at, "rows", SMALL, INK).anchored(Anchor::Middle).turned(-90.0));
    canvas.text(Text::new((plot.left - 8.0, plot.top), short(most), SMALL, SOFT).anchored(Anchor::End).centred());
    frame::horizontal(canvas, plot, x, &x.ticks(12), &figure.x_label);
}
