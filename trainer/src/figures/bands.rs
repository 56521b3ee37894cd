//! Draws the distribution of values along an axis: the median with the central 50 % and 90 %, and the number of rows
//! below.

use alfiere_charts::color::{SOFT, ramp, series};
use alfiere_charts::{Axis, Drawing, LegendKey, Marker, Page, Plot, Point, Rect, short};

use super::figure::{Band, Bands};

/// Height of the bars below, and the gap above them.
const BARS: i32 = 140;
const BETWEEN: i32 = 60;

pub(super) fn draw(figure: &Bands, page: &Page<'_>) -> Drawing {
    let (wide, narrow, median) = (ramp(0.2), ramp(0.42), series(1));
    let legend = [
        (LegendKey::Marker(Marker::Square, wide), "90 % of the rows".to_owned()),
        (LegendKey::Marker(Marker::Square, narrow), "50 % of the rows".to_owned()),
        (LegendKey::Line(median), "median".to_owned()),
    ];
    let top = page.heading(&figure.title, &figure.subtitle, &legend)?;
    let y = Axis::linear(&figure.y_label, figure.ends, 4);
    let (low, high) = Axis::ends_of(figure.bands.iter().map(|band| band.x));
    let x = Axis::linear(&figure.x_label, (low - 0.6, high + 0.6), 12);
    let (rows, most) = rows_axis(figure.bands.iter().map(|band| band.rows));
    let full = page.plot_area(top, &[&y, &rows]);
    let none = Axis::exactly("", x.ends, Vec::new());
    let plot = page.plot(Rect { bottom: full.bottom - BARS - BETWEEN, ..full }, &none, &y)?;
    for stretch in figure.bands.chunk_by(|one, next| one.quantiles.is_some() == next.quantiles.is_some()) {
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
    for band in figure.bands.iter().filter(|band| band.rows > 0) {
        let (from, to) = ((band.x - 0.36, 0.0), (band.x + 0.36, (band.rows as f64).min(most)));
        page.rectangle(bars.at(from), bars.at(to), ramp(0.3))?;
    }
    Ok(())
}

/// An axis for numbers of rows, labelled with the maximum.
fn rows_axis(rows: impl Iterator<Item = u64>) -> (Axis, f64) {
    let most = rows.max().unwrap_or(1).max(1) as f64;
    (Axis::exactly("rows", (0.0, most), vec![(most, short(most))]), most)
}

/// One quantile of all non-empty bands.
fn quantile(bands: &[Band], plot: &Plot<'_, '_>, quantile: usize) -> Vec<Point> {
    bands.iter().filter_map(|band| Some(plot.at((band.x, band.quantiles?[quantile])))).collect()
}
