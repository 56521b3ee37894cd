//! Draws a comparison of configurations: a dot per fold, and the mean with its standard deviation.

use super::canvas::{Anchor, Area, Canvas, Color, Pen, Point, Text};
use super::categories::Categories;
use super::figure::{Comparison, Group, XAxis};
use super::font::{Fonts, Weight};
use super::frame::{self, MARGIN, Marker, Sign};
use super::levels::Levels;
use super::palette::{SOFT, series};
use super::scale::{Scale, Spread, signed};
use crate::metrics::mean_and_deviation;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 540.0;
const DOT: f64 = 3.4;
/// Distance of the first dots from the mean, and between further dots.
const BESIDE: f64 = 11.0;
const STEP: f64 = 7.2;

/// A group with its position on the page.
struct Drawn<'a> {
    group: &'a Group,
    series: usize,
    mean: f64,
    deviation: f64,
    /// Position of the mean on the page.
    at: Point,
}

pub(super) fn draw(figure: &Comparison, fonts: Fonts) -> Canvas {
    let categories = Categories::of(figure);
    let wanted = match figure.x_axis {
        XAxis::Categories => 130.0 + (categories.len() * figure.series.len().max(2)) as f64 * 24.0,
        XAxis::Linear | XAxis::Logarithmic => WIDTH,
    };
    let mut canvas = Canvas::new(WIDTH.max(wanted), HEIGHT, fonts);
    let top = frame::heading(&mut canvas, &figure.title, &figure.subtitle, &legend(figure));
    let levels = Levels::of(&extent(figure), figure.baseline.as_ref().map(|(_, level)| *level));
    let ticks = levels.ticks();
    let left = frame::left_of(&canvas, &ticks, &figure.y_label);
    let mut plot = Area { left, top, right: canvas.width - MARGIN, bottom: HEIGHT - 62.0 };
    if figure.x_axis == XAxis::Categories {
        plot = categories.make_room(&canvas, plot);
    }
    levels.draw(&mut canvas, plot, figure);
    let y = levels.scale(plot);
    let places: Box<dyn Fn(&Group) -> f64> = match figure.x_axis {
        XAxis::Categories => {
            categories.draw(&mut canvas, plot, &figure.x_label);
            let categories = &categories;
            Box::new(move |group| categories.at(plot, &group.label))
        }
        XAxis::Linear | XAxis::Logarithmic => {
            let x = numbers(figure, plot);
            frame::horizontal(&mut canvas, plot, x, &x.ticks(6), &figure.x_label);
            Box::new(move |group| x.at(group.x.unwrap_or(x.low)))
        }
    };
    let mut drawn = place(figure, &*places, y);
    apart(figure, &categories, plot, &mut drawn);
    groups(&mut canvas, figure.x_axis, &drawn, y);
    values(&mut canvas, plot, &drawn, y, levels.decimals());
    canvas
}

fn legend(figure: &Comparison) -> Vec<(Sign, String)> {
    let mut legend = Vec::new();
    if figure.series.len() > 1 {
        legend.extend(
            figure
                .series
                .iter()
                .enumerate()
                .map(|(index, one)| (Sign::Marker(Marker::of(index), series(index)), one.name.clone())),
        );
    }
    if figure.series.iter().flat_map(|one| &one.groups).any(|group| group.values.len() > 1) {
        let color = if figure.series.len() > 1 { SOFT } else { series(0) };
        legend.push((Sign::Dot(color.faded(0.55)), "each fold".to_owned()));
        legend.push((Sign::Marker(Marker::Diamond, color), "mean ± standard deviation over the folds".to_owned()));
    }
    legend
}

/// All values that the vertical axis must cover.
fn extent(figure: &Comparison) -> Vec<f64> {
    let groups = figure.series.iter().flat_map(|one| &one.groups);
    groups
        .flat_map(|group| {
            let whisker = mean_and_deviation(&group.values).map(|(mean, sd)| [mean - sd, mean + sd]);
            group.values.iter().copied().chain(whisker.into_iter().flatten())
        })
        .collect()
}

/// The numeric axis, with padding for the dots at both ends.
fn numbers(figure: &Comparison, plot: Area) -> Scale {
    let all = figure.series.iter().flat_map(|one| &one.groups).filter_map(|group| group.x);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let page = (plot.left, plot.right);
    if figure.x_axis == XAxis::Logarithmic {
        let air = if high > low { (high / low).powf(0.06) } else { 2.0 };
        return Scale::new(Spread::Logarithmic, (low / air, high * air), page);
    }
    let air = if high > low { 0.06 * (high - low) } else { (0.1 * high.abs()).max(0.5) };
    let air = air.max(1e-9 * high.abs());
    Scale::new(Spread::Even, (low - air, high + air), page)
}

fn place<'a>(figure: &'a Comparison, x: &dyn Fn(&Group) -> f64, y: Scale) -> Vec<Drawn<'a>> {
    let mut drawn = Vec::new();
    for (index, one) in figure.series.iter().enumerate() {
        for group in &one.groups {
            if let Some((mean, deviation)) = mean_and_deviation(&group.values) {
                drawn.push(Drawn { group, series: index, mean, deviation, at: (x(group), y.at(mean)) });
            }
        }
    }
    drawn
}

/// Shifts series apart: always on a category axis, and on a numeric axis if groups would overlap.
fn apart(figure: &Comparison, categories: &Categories, plot: Area, drawn: &mut [Drawn<'_>]) {
    let count = figure.series.len() as f64;
    let distance = match figure.x_axis {
        XAxis::Categories => (0.8 * categories.slot(plot) / count).min(110.0),
        XAxis::Linear | XAxis::Logarithmic => {
            let close = |a: &Drawn<'_>, b: &Drawn<'_>| {
                a.series != b.series && (a.at.0 - b.at.0).abs() < 30.0 && (a.at.1 - b.at.1).abs() < 30.0
            };
            let covered = drawn.iter().enumerate().any(|(index, a)| drawn[..index].iter().any(|b| close(a, b)));
            if covered { 16.0 } else { 0.0 }
        }
    };
    for one in drawn {
        one.at.0 += (one.series as f64 - (count - 1.0) / 2.0) * distance;
    }
}

fn groups(canvas: &mut Canvas, axis: XAxis, drawn: &[Drawn<'_>], y: Scale) {
    if axis != XAxis::Categories {
        let most = drawn.iter().map(|one| one.series).max().unwrap_or(0);
        for index in 0..=most {
            let mut points: Vec<Point> = drawn.iter().filter(|one| one.series == index).map(|one| one.at).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            canvas.line(&points, Pen::new(series(index).faded(0.45), 1.8));
        }
    }
    for one in drawn {
        let color = series(one.series);
        for at in swarm(one, y) {
            canvas.circle(at, DOT, color.faded(0.55), None);
        }
        if one.group.values.len() > 1 {
            whisker(canvas, one, y, color);
        }
        frame::marker(canvas, one.at, Marker::of(one.series), color);
    }
}

/// Positions of the folds' dots beside the mean, alternating left and right, similar values further out.
fn swarm(one: &Drawn<'_>, y: Scale) -> Vec<Point> {
    let mut values = one.group.values.clone();
    if values.len() < 2 {
        return Vec::new();
    }
    values.sort_by(f64::total_cmp);
    let rings = 0..values.len() as u32;
    let mut placed: Vec<Point> = Vec::with_capacity(values.len());
    for (index, value) in values.into_iter().enumerate() {
        let height = y.at(value);
        let first = if index % 2 == 0 { -1.0 } else { 1.0 };
        let free = rings
            .clone()
            .flat_map(|ring| [first, -first].map(|side| one.at.0 + side * (BESIDE + f64::from(ring) * STEP)))
            .find(|&x| placed.iter().all(|&(px, py)| (px - x).hypot(py - height) >= 2.0 * DOT));
        placed.push((free.unwrap_or(one.at.0), height));
    }
    placed
}

/// Draws the standard deviation around the mean, unless it is smaller than the marker.
fn whisker(canvas: &mut Canvas, one: &Drawn<'_>, y: Scale, color: Color) {
    let (x, ends) = (one.at.0, [y.at(one.mean - one.deviation), y.at(one.mean + one.deviation)]);
    if ends[0] - ends[1] < 2.0 * frame::MARKER {
        return;
    }
    let pen = Pen::new(color, 1.8);
    canvas.line(&[(x, ends[0]), (x, ends[1])], pen);
    for end in ends {
        canvas.line(&[(x - 5.0, end), (x + 5.0, end)], pen);
    }
}

/// Writes each mean above or below its group, wherever there is room.
fn values(canvas: &mut Canvas, plot: Area, drawn: &[Drawn<'_>], y: Scale, decimals: usize) {
    const SIZE: f64 = 12.0;
    let around = |one: &Drawn<'_>| {
        let mut area = Area::around(one.at, 8.0, 8.0);
        let whisker = [one.mean - one.deviation, one.mean + one.deviation].map(|end| (one.at.0, y.at(end)));
        for at in swarm(one, y).into_iter().chain(whisker) {
            let dot = Area::around(at, DOT + 1.0, DOT + 1.0);
            area.left = area.left.min(dot.left);
            area.right = area.right.max(dot.right);
            area.top = area.top.min(dot.top);
            area.bottom = area.bottom.max(dot.bottom);
        }
        area
    };
    let mut taken: Vec<Area> = drawn.iter().map(around).collect();
    for (index, one) in drawn.iter().enumerate() {
        let own = taken[index];
        let words = signed(&format!("{:.decimals$}", one.mean));
        let half = canvas.fonts.width(&words, SIZE, Weight::Bold) / 2.0 + 2.0;
        let free = [own.top - 9.0, own.bottom + 9.0].into_iter().find(|&middle| {
            let label = Area::around((one.at.0, middle), half, SIZE / 2.0);
            let inside =
                label.top >= plot.top - 6.0 && label.bottom <= plot.bottom && label.right <= plot.right + MARGIN;
            inside && taken.iter().enumerate().all(|(other, area)| other == index || !area.meets(label))
        });
        if let Some(middle) = free {
            let at = (one.at.0, middle);
            taken.push(Area::around(at, half, SIZE / 2.0));
            let text = Text::new(at, words, SIZE, series(one.series)).bold();
            canvas.text(text.anchored(Anchor::Middle).centred());
        }
    }
}
