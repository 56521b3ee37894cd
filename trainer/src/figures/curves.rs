//! Draws curves over the epochs: training dashed, others solid.

use alfiere_charts::color::{INK, PAGE, series};
use alfiere_charts::{Axis, Drawing, LegendKey, Page, Point};

use super::figure::{Curve, CurveKind, Curves};

/// Maximum number of points for which each point has a marker.
const MARKED: usize = 40;
const TICKS: usize = 6;

pub(super) fn draw(figure: &Curves, page: &Page<'_>) -> Drawing {
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
