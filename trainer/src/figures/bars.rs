//! Draws a grouped bar chart, with the value above each bar and an error bar at its end.

use alfiere_charts::color::{AXIS, INK, PAGE, Rgba, faded, series};
use alfiere_charts::{Align, Axis, Drawing, LegendKey, Marker, Page, Plot, Point, Rect, SMALL, short};

use super::figure::{Bar, Bars};

/// Fraction of a group's width that is filled by bars.
const FILLED: f64 = 0.76;
/// Half the width of the error bar caps.
const CAP: i32 = 8;
const TICKS: usize = 6;

pub(super) fn draw(figure: &Bars, page: &Page<'_>) -> Drawing {
    let mut legend: Vec<(LegendKey, String)> = Vec::new();
    if figure.series.len() > 1 {
        let names = figure.series.iter().enumerate();
        legend.extend(names.map(|(index, (name, _))| (LegendKey::Marker(Marker::Square, series(index)), name.clone())));
    }
    legend.extend(figure.hatched.iter().map(|(_, reason)| (LegendKey::Hatched(INK), reason.clone())));
    let top = page.heading(&figure.title, &figure.subtitle, &legend)?;
    let ends = figure.series.iter().flat_map(|(_, bars)| bars).flatten().flat_map(|bar| {
        let error = bar.error.unwrap_or(0.0);
        [bar.value - error, bar.value + error]
    });
    let (low, high) = Axis::ends_of(ends.chain([0.0]));
    let around = Axis::around([low, if high > low { high } else { low + 1.0 }], TICKS);
    let y = Axis::linear(&figure.y_label, (if low < 0.0 { around.0 } else { 0.0 }, around.1), TICKS);
    let plot = page.plot_of_categories(page.plot_area(top, &[&y]), &figure.x_label, &figure.names, &y)?;
    let width = FILLED / figure.series.len() as f64;
    let mut labels = Vec::new();
    for (number, (_, bars)) in figure.series.iter().enumerate() {
        let shift = (number as f64 + 0.5) * width - FILLED / 2.0;
        for (index, bar) in bars.iter().enumerate() {
            let Some(bar) = bar else { continue };
            let is_hatched = figure.hatched.as_ref().is_some_and(|(name, _)| *name == figure.names[index]);
            let middle = index as f64 + 0.5 + shift;
            let ends = (middle - 0.46 * width, middle + 0.46 * width);
            labels.push((draw_bar(page, &plot, ends, *bar, series(number), is_hatched)?, short(bar.value)));
        }
    }
    write_values(page, plot.area.top - SMALL, labels)?;
    let foot = plot.at((0.0, 0.0)).1;
    page.line(&[(plot.area.left, foot), (plot.area.right, foot)], AXIS, 2)
}

/// Writes each value above its bar, higher if the value beside it would be in the way, but not above `top`.
fn write_values(page: &Page<'_>, top: i32, mut values: Vec<(Point, String)>) -> Drawing {
    // From left to right.
    values.sort_unstable();
    let mut taken: Vec<Rect> = Vec::new();
    for ((x, mut y), words) in values {
        let half = page.text_width(&words, SMALL) / 2 + 2;
        let area = loop {
            let area = Rect::around((x, y), half, SMALL / 2);
            match taken.iter().find(|other| area.meets(**other)) {
                Some(other) => y = other.top - SMALL / 2,
                None => break area,
            }
        };
        if area.top >= top {
            taken.push(area);
            page.text((x, y), &words, SMALL, INK, Align::Middle)?;
        }
    }
    Ok(())
}

/// Draws a bar; returns the place of its value.
fn draw_bar(
    page: &Page<'_>,
    plot: &Plot<'_, '_>,
    (left, right): (f64, f64),
    bar: Bar,
    color: Rgba,
    is_hatched: bool,
) -> Drawing<Point> {
    let (foot, end) = (plot.at((left, 0.0)), plot.at((right, bar.value)));
    if is_hatched {
        page.hatched(foot, end, color)?;
    } else {
        page.rectangle(foot, end, color)?;
    }
    let middle = i32::midpoint(foot.0, end.0);
    let mut above = end.1.min(foot.1);
    if let Some(error) = bar.error {
        let [upper, lower] = [bar.value + error, bar.value - error].map(|end| plot.at((left, end)).1);
        for (color, width) in [(faded(PAGE, 0.7), 7), (INK, 3)] {
            page.line(&[(middle, upper), (middle, lower)], color, width)?;
            for end in [upper, lower] {
                page.line(&[(middle - CAP, end), (middle + CAP, end)], color, width)?;
            }
        }
        above = above.min(upper);
    }
    Ok((middle, above - 18))
}
