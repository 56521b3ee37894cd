//! Draws configurations side by side: each fold a dot, the mean among them with its standard deviation.

use super::categories::Categories;
use super::figure::{Comparison, Group, XAxis};
use super::font::{Fonts, Weight};
use super::frame::{self, MARGIN, Marker, Sign};
use super::levels::Levels;
use super::palette::{SOFT, series};
use super::scale::{Scale, Spread, signed};
use super::scene::{Anchor, Area, Color, Pen, Point, Scene, Text};
use crate::metrics::mean_and_deviation;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 540.0;
const DOT: f64 = 3.4;
/// How far the first dots stand from the mean, and each further one from the last.
const BESIDE: f64 = 11.0;
const STEP: f64 = 7.2;

/// A group as it is drawn.
struct Drawn<'a> {
    group: &'a Group,
    series: usize,
    mean: f64,
    deviation: f64,
    /// Place of the mean on the page.
    at: Point,
}

pub(super) fn draw(figure: &Comparison, fonts: Fonts) -> Scene {
    let categories = Categories::of(figure);
    let wanted = match figure.x_axis {
        XAxis::Categories => 130.0 + (categories.len() * figure.series.len().max(2)) as f64 * 24.0,
        XAxis::Linear | XAxis::Logarithmic => WIDTH,
    };
    let mut scene = Scene::new(WIDTH.max(wanted), HEIGHT, fonts);
    let top = frame::heading(&mut scene, &figure.title, &figure.subtitle, &legend(figure));
    let levels = Levels::of(&extent(figure), figure.baseline.as_ref().map(|(_, level)| *level));
    let ticks = levels.ticks();
    let left = frame::left_of(&scene, &ticks, &figure.y_label);
    let mut plot = Area { left, top, right: scene.width - MARGIN, bottom: HEIGHT - 62.0 };
    if figure.x_axis == XAxis::Categories {
        plot = categories.make_room(&scene, plot);
    }
    levels.draw(&mut scene, plot, figure);
    let y = levels.scale(plot);
    let places: Box<dyn Fn(&Group) -> f64> = match figure.x_axis {
        XAxis::Categories => {
            categories.draw(&mut scene, plot, &figure.x_label);
            let categories = &categories;
            Box::new(move |group| categories.at(plot, &group.label))
        }
        XAxis::Linear | XAxis::Logarithmic => {
            let x = numbers(figure, plot);
            frame::horizontal(&mut scene, plot, x, &x.ticks(6), &figure.x_label);
            Box::new(move |group| x.at(group.x.unwrap_or(x.low)))
        }
    };
    let mut drawn = place(figure, &*places, y);
    apart(figure, &categories, plot, &mut drawn);
    groups(&mut scene, figure.x_axis, &drawn, y);
    values(&mut scene, plot, &drawn, y, levels.decimals());
    scene
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

/// All that must find room on the vertical axis.
fn extent(figure: &Comparison) -> Vec<f64> {
    let groups = figure.series.iter().flat_map(|one| &one.groups);
    groups
        .flat_map(|group| {
            let whisker = mean_and_deviation(&group.values).map(|(mean, sd)| [mean - sd, mean + sd]);
            group.values.iter().copied().chain(whisker.into_iter().flatten())
        })
        .collect()
}

/// The axis of numbers, with air at both ends for the dots.
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

/// Moves series apart: always where places are categories, and on an axis of numbers where groups would cover one another.
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

fn groups(scene: &mut Scene, axis: XAxis, drawn: &[Drawn<'_>], y: Scale) {
    if axis != XAxis::Categories {
        let most = drawn.iter().map(|one| one.series).max().unwrap_or(0);
        for index in 0..=most {
            let mut points: Vec<Point> = drawn.iter().filter(|one| one.series == index).map(|one| one.at).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            scene.line(&points, Pen::new(series(index).faded(0.45), 1.8));
        }
    }
    for one in drawn {
        let color = series(one.series);
        for at in swarm(one, y) {
            scene.circle(at, DOT, color.faded(0.55), None);
        }
        if one.group.values.len() > 1 {
            whisker(scene, one, y, color);
        }
        frame::marker(scene, one.at, Marker::of(one.series), color);
    }
}

/// Folds beside the mean, left and right in turn, those of like value further out.
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

/// The standard deviation to both sides of the mean, unless it is smaller than the mean's sign.
fn whisker(scene: &mut Scene, one: &Drawn<'_>, y: Scale, color: Color) {
    let (x, ends) = (one.at.0, [y.at(one.mean - one.deviation), y.at(one.mean + one.deviation)]);
    if ends[0] - ends[1] < 2.0 * frame::MARKER {
        return;
    }
    let pen = Pen::new(color, 1.8);
    scene.line(&[(x, ends[0]), (x, ends[1])], pen);
    for end in ends {
        scene.line(&[(x - 5.0, end), (x + 5.0, end)], pen);
    }
}

/// Writes each mean above its group, or below, where that covers nothing.
fn values(scene: &mut Scene, plot: Area, drawn: &[Drawn<'_>], y: Scale, decimals: usize) {
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
        let half = scene.fonts.width(&words, SIZE, Weight::Bold) / 2.0 + 2.0;
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
            scene.text(text.anchored(Anchor::Middle).centred());
        }
    }
}
