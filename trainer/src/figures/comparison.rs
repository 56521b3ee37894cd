//! Draws a comparison of configurations: a dot per fold, and the mean with its standard deviation.

use alfiere_charts::color::{Rgba, SOFT, faded, series};
use alfiere_charts::{Align, Axis, Drawing, LegendKey, Marker, Page, Plot, Point, Rect, SMALL, TINY, signed};
use alfiere_data::metrics::mean_and_deviation;

use super::figure::{Comparison, Group, XAxis};

/// Radius of the dots of folds.
const DOT: i32 = 7;
/// Distance of the first dots from the mean, and between further dots.
const BESIDE: i32 = 22;
const STEP: i32 = 14;
const TICKS: usize = 6;
/// A reference level outside the results is on the axis if its distance is below this multiple of their range.
const NEAR: f64 = 1.5;
/// Minimum range of the axis, as a fraction of the results: nearly equal results are not magnified to fill the page.
const LEAST: f64 = 0.05;

/// A group with its position on the page.
struct Placed<'a> {
    group: &'a Group,
    series: usize,
    color: Rgba,
    mean: f64,
    deviation: f64,
    at: Point,
    /// Both ends of the standard deviation.
    ends: [i32; 2],
    dots: Vec<Point>,
}

/// Width of the page of a figure with categories.
pub(super) fn width(figure: &Comparison) -> i32 {
    let wanted = 260 + 48 * categories(figure).len().min(100) * figure.series.len().max(2);
    (wanted as i32).max(1800)
}

pub(super) fn draw(figure: &Comparison, page: &Page<'_>) -> Drawing {
    let y = vertical(figure);
    let top = page.heading(&figure.title, &figure.subtitle, &legend(figure, &y))?;
    let area = page.plot_area(top, &[&y]);
    let categories = categories(figure);
    let plot = match figure.x_axis {
        XAxis::Categories => page.plot_of_categories(area, &figure.x_label, &categories, &y)?,
        XAxis::Linear | XAxis::Logarithmic => page.plot(area, &numbers(figure, page.x_labels()), &y)?,
    };
    if let Some((_, level)) = &figure.baseline {
        plot.level(*level)?;
    }
    let place = |group: &Group| match figure.x_axis {
        XAxis::Categories => categories.iter().position(|name| *name == group.label).unwrap_or(0) as f64 + 0.5,
        XAxis::Linear | XAxis::Logarithmic => group.x.unwrap_or_default(),
    };
    let mut placed = Vec::new();
    for (index, one) in figure.series.iter().enumerate() {
        for group in &one.groups {
            let Some((mean, deviation)) = mean_and_deviation(&group.values) else { continue };
            let color = series(group.color.unwrap_or(one.color));
            let at = plot.at((place(group), mean));
            placed.push(Placed { group, series: index, color, mean, deviation, at, ends: [at.1; 2], dots: Vec::new() });
        }
    }
    move_apart(figure, categories.len(), &plot, &mut placed);
    for one in &mut placed {
        one.ends = [one.mean + one.deviation, one.mean - one.deviation].map(|end| plot.at((0.0, end)).1);
        one.dots = dots(one, &plot);
    }
    if figure.x_axis != XAxis::Categories {
        for (index, one) in figure.series.iter().enumerate() {
            let mut points: Vec<Point> = placed.iter().filter(|one| one.series == index).map(|one| one.at).collect();
            points.sort_unstable();
            page.line(&points, faded(series(one.color), 0.45), 4)?;
        }
    }
    for one in &placed {
        draw_group(page, one)?;
    }
    write_means(page, &plot, &placed, (y.decimals() + 1).max(3))
}

/// The names on a category axis, in order of first appearance.
fn categories(figure: &Comparison) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for group in figure.series.iter().flat_map(|one| &one.groups) {
        if !names.contains(&group.label) {
            names.push(group.label.clone());
        }
    }
    names
}

fn legend(figure: &Comparison, y: &Axis) -> Vec<(LegendKey, String)> {
    let mut legend = Vec::new();
    if figure.series.len() > 1 {
        let names = figure.series.iter().enumerate();
        legend.extend(
            names.map(|(index, one)| (LegendKey::Marker(Marker::of(index), series(one.color)), one.name.clone())),
        );
    }
    if figure.series.iter().flat_map(|one| &one.groups).any(|group| group.values.len() > 1) {
        legend.push((LegendKey::Dot(faded(SOFT, 0.55)), "each fold".to_owned()));
        legend.push((LegendKey::Marker(Marker::Diamond, SOFT), "mean ± standard deviation over the folds".to_owned()));
    }
    legend.extend(figure.baseline.iter().map(|(name, level)| y.level(name, *level)));
    legend
}

fn vertical(figure: &Comparison) -> Axis {
    let groups = figure.series.iter().flat_map(|one| &one.groups);
    let values = groups.flat_map(|group| {
        let deviation = mean_and_deviation(&group.values).map(|(mean, deviation)| [mean - deviation, mean + deviation]);
        group.values.iter().copied().chain(deviation.into_iter().flatten())
    });
    let (low, high) = Axis::ends_of(values);
    let spread = (high - low).max(LEAST * high.abs().max(low.abs()));
    let middle = f64::midpoint(low, high);
    let ends = [low.min(middle - spread / 2.0), high.max(middle + spread / 2.0)];
    let level = figure.baseline.as_ref().map(|(_, level)| *level);
    let level = level.filter(|level| low - level <= NEAR * spread && level - high <= NEAR * spread);
    Axis::linear(&figure.y_label, Axis::around(ends.into_iter().chain(level), TICKS), TICKS)
}

/// The numeric axis, with space for the dots at both ends, labelled at the values of the groups if there is room.
fn numbers(figure: &Comparison, labels: usize) -> Axis {
    let groups = figure.series.iter().flat_map(|one| &one.groups);
    let mut all: Vec<f64> = groups.filter_map(|group| group.x).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    let (low, high) = Axis::ends_of(all.iter().copied());
    // Series may be shifted apart.
    let share = 0.04 + 0.02 * figure.series.len() as f64;
    let axis = if figure.x_axis == XAxis::Logarithmic {
        let air = if high > low { (high / low).powf(share) } else { 2.0 };
        Axis::logarithmic(&figure.x_label, (low / air, high * air))
    } else {
        let air = if high > low { share * (high - low) } else { (0.1 * high.abs()).max(0.5) };
        let air = air.max(1e-9 * high.abs());
        Axis::linear(&figure.x_label, (low - air, high + air), TICKS)
    };
    axis.labelled_at(&all, labels)
}

/// Shifts series apart: always on a category axis, and on a numeric axis if groups would overlap.
fn move_apart(figure: &Comparison, categories: usize, plot: &Plot<'_, '_>, placed: &mut [Placed<'_>]) {
    let count = figure.series.len() as i32;
    let distance = if figure.x_axis == XAxis::Categories {
        let slot = (plot.area.right - plot.area.left) / categories.max(1) as i32;
        (slot * 4 / 5 / count).min(220)
    } else {
        let near = |a: &Placed<'_>, b: &Placed<'_>| {
            a.series != b.series && (a.at.0 - b.at.0).abs() < 60 && (a.at.1 - b.at.1).abs() < 60
        };
        let is_covered = placed.iter().enumerate().any(|(index, a)| placed[..index].iter().any(|b| near(a, b)));
        let mut places: Vec<i32> = placed.iter().map(|one| one.at.0).collect();
        places.sort_unstable();
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 0);
        let slot = gaps.min().unwrap_or(plot.area.right - plot.area.left);
        let ends = places.first().zip(places.last());
        let room =
            ends.map_or(0, |(first, last)| (first - plot.area.left).min(plot.area.right - last) - BESIDE - 2 * DOT);
        let widest = 2 * room.max(0) / (count - 1).max(1);
        if is_covered { (slot * 4 / 5 / count).clamp(32, 76).min(widest) } else { 0 }
    };
    for one in placed {
        one.at.0 += (2 * one.series as i32 - (count - 1)) * distance / 2;
    }
}

/// Positions of the folds' dots beside the mean, alternating left and right, similar values further out.
fn dots(one: &Placed<'_>, plot: &Plot<'_, '_>) -> Vec<Point> {
    let mut values = one.group.values.clone();
    if values.len() < 2 {
        return Vec::new();
    }
    values.sort_by(f64::total_cmp);
    let mut dots: Vec<Point> = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        let y = plot.at((0.0, *value)).1;
        let first = if index % 2 == 0 { -1 } else { 1 };
        let free = (0..values.len() as i32)
            .flat_map(|ring| [first, -first].map(|side| one.at.0 + side * (BESIDE + ring * STEP)))
            .find(|x| dots.iter().all(|dot| (dot.0 - x).abs() >= 2 * DOT || (dot.1 - y).abs() >= 2 * DOT));
        dots.push((free.unwrap_or(one.at.0), y));
    }
    dots
}

/// Draws the dots, the mean, and the standard deviation unless it is smaller than the marker.
fn draw_group(page: &Page<'_>, one: &Placed<'_>) -> Drawing {
    for &dot in &one.dots {
        page.disc(dot, DOT, faded(one.color, 0.55))?;
    }
    let (x, [upper, lower]) = (one.at.0, one.ends);
    if one.dots.len() > 1 && lower - upper > 26 {
        page.line(&[(x, upper), (x, lower)], one.color, 4)?;
        for end in one.ends {
            page.line(&[(x - 10, end), (x + 10, end)], one.color, 4)?;
        }
    }
    page.marker(one.at, Marker::of(one.series), one.color)
}

/// Writes each mean beside its marker, or above or below its group, wherever there is room.
fn write_means(page: &Page<'_>, plot: &Plot<'_, '_>, placed: &[Placed<'_>], decimals: usize) -> Drawing {
    let mut taken: Vec<Rect> = placed.iter().map(around).collect();
    for (index, one) in placed.iter().enumerate() {
        let own = taken[index];
        let words = signed(&format!("{:.decimals$}", one.mean));
        let half = page.text_width(&words, TINY) / 2 + 4;
        // Above the line through the means.
        let beside = [own.right + half, own.left - half].map(|middle| (middle, one.at.1 - TINY));
        let apart = [own.top - 16, own.bottom + 16].map(|middle| (one.at.0, middle));
        for middle in beside.into_iter().chain(apart) {
            let label = Rect::around(middle, half, TINY / 2);
            let is_inside = label.top >= plot.area.top - SMALL
                && label.bottom <= plot.area.bottom
                && label.left >= plot.area.left
                && label.right <= plot.area.right;
            if is_inside && taken.iter().enumerate().all(|(other, area)| other == index || !area.meets(label)) {
                taken.push(label);
                page.text(middle, &words, TINY, one.color, Align::Middle)?;
                break;
            }
        }
    }
    Ok(())
}

/// The area of a group's marker, dots and deviation.
fn around(one: &Placed<'_>) -> Rect {
    let ends = one.ends.map(|end| (one.at.0, end));
    one.dots.iter().chain(&ends).fold(Rect::around(one.at, 16, 16), |area, &at| {
        let dot = Rect::around(at, DOT + 2, DOT + 2);
        Rect {
            left: area.left.min(dot.left),
            top: area.top.min(dot.top),
            right: area.right.max(dot.right),
            bottom: area.bottom.max(dot.bottom),
        }
    })
}
