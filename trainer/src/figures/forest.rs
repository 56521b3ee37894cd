//! Draws differences from a reference with their intervals, one below the other: a forest plot.

use alfiere_charts::color::{AXIS, INK, SOFT, series};
use alfiere_charts::{Align, Axis, Drawing, LegendKey, Marker, Page, Rect, SMALL, TINY, signed};

use super::figure::{Forest, ForestRow};

const TICKS: usize = 6;
/// Height of a row, and of the rest of the page.
const ROW: i32 = 62;
const REST: i32 = 460;
/// Half the height of an interval's ends.
const END: i32 = 10;
/// Space between a name and the plot.
const GAP: i32 = 20;
const WIDEST_NAME: i32 = 700;

pub(super) fn height(figure: &Forest) -> i32 {
    REST + ROW * figure.rows.len().min(100) as i32
}

pub(super) fn draw(figure: &Forest, page: &Page<'_>) -> Drawing {
    let legend = [
        (LegendKey::Marker(Marker::Diamond, series(0)), "interval without 0".to_owned()),
        (LegendKey::Marker(Marker::Diamond, SOFT), "interval with 0".to_owned()),
        (LegendKey::Disc(INK), "first value: the reference".to_owned()),
    ];
    let top = page.heading(&figure.title, &figure.subtitle, &legend)?;
    let ends = figure.rows.iter().flat_map(|row| row.interval.unwrap_or_default());
    let x = Axis::linear(&figure.x_label, Axis::around(ends.chain([0.0]), TICKS), TICKS);
    let y = Axis::categories("", figure.rows.len());
    let area = page.plot_area(top, &[&y]);
    let name = figure.rows.iter().map(|row| page.text_width(&row.name, SMALL)).max().unwrap_or(0).min(WIDEST_NAME);
    let plot = page.plot(Rect { left: area.left + name + GAP, ..area }, &x, &y)?;
    let decimals = (x.decimals() + 1).max(3);
    let zero = plot.at((0.0, 0.0)).0;
    page.line(&[(zero, plot.area.top), (zero, plot.area.bottom)], AXIS, 2)?;
    for (place, ForestRow { name, interval }) in
        (0..).map(|row| figure.rows.len() as f64 - f64::from(row) - 0.5).zip(&figure.rows)
    {
        let at = |value: f64| plot.at((value, place));
        let height = at(0.0).1;
        page.text((plot.area.left - GAP, height), name, SMALL, INK, Align::Right)?;
        let Some([low, mean, high]) = *interval else {
            page.disc((zero, height), 10, INK)?;
            continue;
        };
        let color = if low > 0.0 || high < 0.0 { series(0) } else { SOFT };
        let (left, right) = (at(low), at(high));
        page.line(&[left, right], color, 4)?;
        for end in [left, right] {
            page.line(&[(end.0, end.1 - END), (end.0, end.1 + END)], color, 4)?;
        }
        page.marker(at(mean), Marker::Diamond, color)?;
        page.text((at(mean).0, height - 26), &signed(&format!("{mean:+.decimals$}")), TINY, color, Align::Middle)?;
    }
    Ok(())
}
