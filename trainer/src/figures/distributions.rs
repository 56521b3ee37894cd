//! Draws distributions: values along an axis, results by label, histograms; and curves.

use alfiere_charts::color::{AXIS, GRID, INK, PAGE, SOFT, faded, ramp, series};
use alfiere_charts::{Align, Axis, Drawing, LegendKey, Marker, Page, Plot, Point, Rect, SMALL, TINY, short};

use alfiere_data::MaterialBin;
use alfiere_data::metrics::CLIP_CENTIPAWNS;

use super::figure::{Curve, CurveKind, Curves, Histogram, Material, Outcomes};

/// Height of the bars below, and the gap above them.
const BARS: i32 = 140;
const BETWEEN: i32 = 60;

pub(super) fn draw_material(figure: &Material, page: &Page<'_>) -> Drawing {
    let (wide, narrow, median) = (ramp(0.2), ramp(0.42), series(1));
    let legend = [
        (LegendKey::Marker(Marker::Square, wide), "90 % of the rows".to_owned()),
        (LegendKey::Marker(Marker::Square, narrow), "50 % of the rows".to_owned()),
        (LegendKey::Line(median), "median".to_owned()),
    ];
    let top = page.heading(&figure.title, &figure.subtitle, &legend)?;
    let y = Axis::linear("label in centipawns, clipped at ±1000", (-CLIP_CENTIPAWNS, CLIP_CENTIPAWNS), 4);
    let (low, high) = Axis::ends_of(figure.bins.iter().map(|bin| f64::from(bin.balance)));
    let name = "White's material minus Black's, in pawns; the ends include everything beyond";
    let x = Axis::linear(name, (low - 0.6, high + 0.6), 12);
    let (rows, most) = rows_axis(figure.bins.iter().map(|bin| bin.rows));
    let full = page.plot_area(top, &[&y, &rows]);
    let none = Axis::exactly("", x.ends, Vec::new());
    let plot = page.plot(Rect { bottom: full.bottom - BARS - BETWEEN, ..full }, &none, &y)?;
    for stretch in figure.bins.chunk_by(|one, next| one.quantiles.is_some() == next.quantiles.is_some()) {
        for (ends, color) in [([0, 4], wide), ([1, 3], narrow)] {
            let lower = quantile(stretch, &plot, ends[0]);
            let upper = quantile(stretch, &plot, ends[1]);
            let around: Vec<Point> = upper.into_iter().chain(lower.into_iter().rev()).collect();
            page.polygon(&around, color)?;
        }
        let points = quantile(stretch, &plot, 2);
        page.line(&points, median, 5)?;
        for point in points {
            page.disc(point, 6, median)?;
        }
    }
    let zero = plot.at((0.0, 0.0)).1;
    page.dashed(&[(full.left, zero), (full.right, zero)], SOFT, 2)?;
    let bars = page.plot(Rect { top: full.bottom - BARS, ..full }, &x, &rows)?;
    for bin in figure.bins.iter().filter(|bin| bin.rows > 0) {
        let x = f64::from(bin.balance);
        let (from, to) = ((x - 0.36, 0.0), (x + 0.36, (bin.rows as f64).min(most)));
        page.rectangle(bars.at(from), bars.at(to), ramp(0.3))?;
    }
    Ok(())
}

/// An axis for numbers of rows, labelled with the maximum.
fn rows_axis(rows: impl Iterator<Item = u64>) -> (Axis, f64) {
    let most = rows.max().unwrap_or(1).max(1) as f64;
    (Axis::exactly("rows", (0.0, most), vec![(most, short(most))]), most)
}

/// One quantile of all non-empty bins.
fn quantile(bins: &[MaterialBin], plot: &Plot<'_, '_>, quantile: usize) -> Vec<Point> {
    let point = |bin: &MaterialBin| Some(plot.at((f64::from(bin.balance), bin.quantiles?[quantile] * CLIP_CENTIPAWNS)));
    bins.iter().filter_map(point).collect()
}

/// Points of the fitted curve.
const STEPS: u32 = 200;
/// Minimum number of rows in a bin for a dot.
const FEWEST: u64 = 20;

pub(super) fn draw_outcomes(figure: &Outcomes, page: &Page<'_>) -> Drawing {
    let colors = [ramp(0.32), GRID, faded(series(3), 0.55)];
    let names = ["White won", "drawn", "Black won"];
    let mut legend: Vec<(LegendKey, String)> = colors
        .iter()
        .zip(names)
        .map(|(&color, name)| (LegendKey::Marker(Marker::Square, color), name.to_owned()))
        .collect();
    legend.push((LegendKey::Dot(INK), "White's points".to_owned()));
    if let Some(scale) = figure.scale {
        legend.push((LegendKey::Line(series(1)), format!("1 / (1 + exp(−label / {scale:.0}))")));
    }
    let top = page.heading(&figure.title, &figure.subtitle, &legend)?;
    let percent = |share: f64| Some(format!("{:.0} %", 100.0 * share));
    let y = Axis::linear("share of the rows", (0.0, 1.0), 5).labelled(percent);
    let half = figure.width / 2.0;
    let (low, high) = Axis::ends_of(figure.bins.iter().map(|bin| bin.centipawns));
    let x = Axis::linear("label in centipawns, from White's side, without mates", (low - half, high + half), 10);
    let plot = page.plot(page.plot_area(top, &[&y]), &x, &y)?;
    let mut dots: Vec<Point> = Vec::new();
    for bin in figure.bins.iter().filter(|bin| bin.rows() > 0) {
        let (middle, rows, counts) = (bin.centipawns, bin.rows(), [bin.white, bin.draws, bin.black]);
        let share = |count: u64| count as f64 / rows as f64;
        let mut from = 0.0;
        for (count, color) in counts.into_iter().zip(colors).filter(|(count, _)| *count > 0) {
            let to = from + share(count);
            page.rectangle(plot.at((middle - half, from)), plot.at((middle + half, to)), color)?;
            from = to;
        }
        if rows >= FEWEST {
            dots.push(plot.at((middle, share(counts[0]) + share(counts[1]) / 2.0)));
        }
    }
    if let Some(scale) = figure.scale {
        let labels = (0..=STEPS).map(|step| x.ends.0 + (x.ends.1 - x.ends.0) * f64::from(step) / f64::from(STEPS));
        let curve: Vec<Point> = labels.map(|label| plot.at((label, 1.0 / (1.0 + (-label / scale).exp())))).collect();
        page.line(&curve, faded(PAGE, 0.7), 9)?;
        page.line(&curve, series(1), 5)?;
    }
    for dot in dots {
        page.disc(dot, 8, PAGE)?;
        page.disc(dot, 6, INK)?;
    }
    Ok(())
}

/// Width of a bar beyond the axis, the space around it, and the gap between it and the axis.
const EXTRA: i32 = 68;
const APART: i32 = 44;
const BESIDE: i32 = 28;
const COUNT_TICKS: usize = 5;

pub(super) fn draw_histogram(figure: &Histogram, page: &Page<'_>) -> Drawing {
    let top = page.heading(&figure.title, &figure.subtitle, &[])? + if figure.mark.is_some() { 20 } else { 0 };
    let beyond = figure.left.iter().chain(&figure.right).map(|&(_, count)| count);
    let most = figure.counts.iter().copied().chain(beyond).max().unwrap_or(0) as f64;
    let y = Axis::linear(&figure.y_label, (0.0, Axis::around([0.0, most], COUNT_TICKS).1), COUNT_TICKS);
    let outer = page.plot_area(top, &[&y]);
    // The grid and the vertical axis are those of the whole plot, the horizontal axis has bars beside it.
    let whole = page.plot(outer, &Axis::exactly("", (0.0, 1.0), Vec::new()), &y)?;
    let room = |bars: &[(String, u64)]| bars.len() as i32 * (EXTRA + APART) + if bars.is_empty() { 0 } else { BESIDE };
    let inner = Rect { left: outer.left + room(&figure.left), right: outer.right - room(&figure.right), ..outer };
    let end = figure.start + figure.width * figure.counts.len() as f64;
    let x = Axis::linear(&figure.x_label, (figure.start, end), inner.x_labels());
    let plot = page.plot(inner, &x, &Axis::exactly("", (0.0, y.ends.1), Vec::new()))?;
    for (index, &count) in figure.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let edge = |index: usize| figure.start + figure.width * index as f64;
        let (mut from, mut to) = (plot.at((edge(index), 0.0)), plot.at((edge(index + 1), count as f64)));
        if to.0 - from.0 > 12 {
            (from.0, to.0) = (from.0 + 2, to.0 - 2);
        }
        page.rectangle(from, to, ramp(0.55))?;
    }
    for (index, bar) in (0..).zip(&figure.left) {
        let middle = outer.left + index * (EXTRA + APART) + APART / 4 + EXTRA / 2;
        draw_beyond(page, &whole, middle, bar)?;
    }
    for (index, bar) in (0..).zip(figure.right.iter().rev()) {
        let middle = outer.right - index * (EXTRA + APART) - APART / 4 - EXTRA / 2;
        draw_beyond(page, &whole, middle, bar)?;
    }
    page.line(&[(outer.left, outer.bottom), (outer.right, outer.bottom)], AXIS, 2)?;
    figure.mark.as_ref().map_or(Ok(()), |(name, place)| plot.mark(name, *place))
}

/// Draws a bar beyond the axis with its label and count.
fn draw_beyond(page: &Page<'_>, plot: &Plot<'_, '_>, middle: i32, (name, count): &(String, u64)) -> Drawing {
    let top: Point = (middle + EXTRA / 2, plot.at((0.0, *count as f64)).1);
    page.rectangle((middle - EXTRA / 2, plot.area.bottom), top, ramp(0.25))?;
    page.text((middle, plot.area.bottom + 30), name, SMALL, SOFT, Align::Middle)?;
    page.text((middle, top.1 - 18), &short(*count as f64), TINY, SOFT, Align::Middle)
}

/// Maximum number of points for which each point has a marker.
const MARKED: usize = 40;
const TICKS: usize = 6;

pub(super) fn draw_curves(figure: &Curves, page: &Page<'_>) -> Drawing {
    let mut legend: Vec<(LegendKey, String)> = figure.curves.iter().map(key).collect();
    legend.retain(|(_, name)| !name.is_empty());
    let points = || figure.curves.iter().flat_map(|curve| &curve.points);
    let (low, high) = Axis::ends_of(points().map(|point| point.0).chain(figure.mark.iter().map(|mark| mark.1)));
    let air = if high > low { 0.02 * (high - low) } else { 0.5 };
    let x = Axis::linear(&figure.x_label, (low - air, high + air), page.x_labels());
    // The first epochs of a run in progress need parts of an epoch.
    let is_whole = points().all(|point| point.0.fract() == 0.0) || high - low >= 3.0;
    let x = if is_whole { x.whole() } else { x };
    let values = points().map(|point| point.1).chain(figure.baseline.iter().map(|level| level.1));
    let y = Axis::linear(&figure.y_label, Axis::around(values, TICKS), TICKS);
    legend.extend(figure.baseline.iter().map(|(name, level)| y.level(name, *level)));
    let top = page.heading(&figure.title, &figure.subtitle, &legend)? + if figure.mark.is_some() { 28 } else { 0 };
    let plot = page.plot(page.plot_area(top, &[&y]), &x, &y)?;
    if let Some((name, place)) = &figure.mark {
        plot.mark(name, *place)?;
    }
    if let Some((_, level)) = &figure.baseline {
        plot.level(*level)?;
    }
    for curve in &figure.curves {
        let color = series(curve.color);
        let points: Vec<Point> = curve.points.iter().map(|&point| plot.at(point)).collect();
        match curve.kind {
            CurveKind::Training | CurveKind::IntervalEnd => page.dashed(&points, color, 4)?,
            CurveKind::Validation | CurveKind::Course => page.line(&points, color, 4)?,
        }
        if points.len() <= MARKED && curve.kind != CurveKind::IntervalEnd {
            for &point in &points {
                page.disc(point, 7, color)?;
                if curve.kind == CurveKind::Training {
                    page.disc(point, 4, PAGE)?;
                }
            }
        }
        if let (Some((_, place)), CurveKind::Validation) = (&figure.mark, curve.kind) {
            for (&at, _) in points.iter().zip(&curve.points).filter(|(_, point)| point.0.total_cmp(place).is_eq()) {
                page.ring(at, 15, INK, 3)?;
            }
        }
    }
    Ok(())
}

fn key(curve: &Curve) -> (LegendKey, String) {
    let color = series(curve.color);
    let (key, kind) = match curve.kind {
        CurveKind::Training => (LegendKey::Dashed(color), "training"),
        CurveKind::Validation => (LegendKey::Line(color), "validation"),
        CurveKind::Course => return (LegendKey::Line(color), curve.name.clone()),
        CurveKind::IntervalEnd => return (LegendKey::Dashed(color), curve.name.clone()),
    };
    (key, if curve.name.is_empty() { kind.to_owned() } else { format!("{}, {kind}", curve.name) })
}
