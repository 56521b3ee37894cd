//! Draws game results by label: fractions of wins, draws and losses, White's score, and the fitted sigmoid.

use super::canvas::{Anchor, Area, Canvas, Pen, Point, Text};
use super::figure::Outcomes;
use super::font::Fonts;
use super::frame::{self, MARGIN, Marker, SMALL, Sign};
use super::palette::{GRID, INK, PAGE, ramp, series};
use super::scale::{Scale, Spread, Tick};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 560.0;
/// Points of the fitted curve.
const STEPS: u32 = 200;
/// Minimum number of rows in a bin for a dot.
const FEWEST: u64 = 20;

pub(super) fn draw(figure: &Outcomes, fonts: Fonts) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, fonts);
    let colors = [ramp(0.32), GRID, series(4).towards(PAGE, 0.45)];
    let names = ["White won", "drawn", "Black won"];
    let mut legend: Vec<(Sign, String)> =
        colors.iter().zip(names).map(|(&color, name)| (Sign::Marker(Marker::Square, color), name.to_owned())).collect();
    legend.push((Sign::Dot(INK), "White's points".to_owned()));
    if let Some(scale) = figure.scale {
        let name = format!("1 / (1 + exp(−label / {scale:.0}))");
        legend.push((Sign::Stroke(Pen::new(series(1), 2.4)), name));
    }
    let top = frame::heading(&mut canvas, &figure.title, &figure.subtitle, &legend);
    let y = Scale::new(Spread::Even, (0.0, 1.0), (0.0, 1.0));
    let ticks: Vec<Tick> =
        (0..=5).map(|fifth| Tick { value: f64::from(fifth) / 5.0, label: format!("{} %", fifth * 20) }).collect();
    let left = frame::left_of(&canvas, &ticks, "share of the rows");
    let plot = Area { left, top, right: WIDTH - MARGIN, bottom: HEIGHT - 62.0 };
    let y = y.on((plot.bottom, plot.top));
    frame::vertical(&mut canvas, plot, y, &ticks, "share of the rows");
    let ends = |at: usize| figure.bins.get(at).map_or(0.0, |bin| bin.0);
    let half = figure.width / 2.0;
    let x = Scale::new(Spread::Even, (ends(0) - half, ends(figure.bins.len() - 1) + half), (plot.left, plot.right));
    let mut dots: Vec<Point> = Vec::new();
    for &(middle, counts) in &figure.bins {
        let rows: u64 = counts.iter().sum();
        if rows == 0 {
            continue;
        }
        let share = |count: u64| count as f64 / rows as f64;
        let (left, right) = (x.at(middle - half), x.at(middle + half));
        let mut from = 0.0;
        for (count, color) in counts.into_iter().zip(colors) {
            let area = Area { left, top: y.at(from + share(count)), right, bottom: y.at(from) };
            canvas.areas(vec![area], color);
            from += share(count);
        }
        if rows >= FEWEST {
            dots.push((x.at(middle), y.at(share(counts[0]) + share(counts[1]) / 2.0)));
        }
    }
    if let Some(scale) = figure.scale {
        let at = |step| x.low + (x.high - x.low) * f64::from(step) / f64::from(STEPS);
        let curve: Vec<Point> =
            (0..=STEPS).map(at).map(|label| (x.at(label), y.at(1.0 / (1.0 + (-label / scale).exp())))).collect();
        canvas.line(&curve, Pen::new(PAGE.faded(0.7), 4.6));
        canvas.line(&curve, Pen::new(series(1), 2.4));
    }
    for dot in dots {
        canvas.circle(dot, 3.4, INK, Some(Pen::new(PAGE, 1.0)));
    }
    frame::horizontal(&mut canvas, plot, x, &x.ticks(10), "label in centipawns, from White's side");
    let note = Text::new((plot.right - 2.0, plot.bottom + 10.0 + SMALL + 24.0), "without mates", SMALL, INK);
    canvas.text(note.anchored(Anchor::End));
    canvas
}
