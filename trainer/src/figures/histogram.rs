//! Draws a histogram, with separate bars for values beyond the axis.

use alfiere_charts::color::{AXIS, SOFT, ramp};
use alfiere_charts::{Align, Axis, Drawing, Page, Plot, Point, Rect, SMALL, TINY, short};

use super::figure::Histogram;

/// Width of a bar beyond the axis, the space around it, and the gap between it and the axis.
const EXTRA: i32 = 68;
const APART: i32 = 44;
const BESIDE: i32 = 28;
const TICKS: usize = 5;

pub(super) fn draw(figure: &Histogram, page: &Page<'_>) -> Drawing {
    let top = page.heading(&figure.title, &figure.subtitle, &[])? + if figure.mark.is_some() { 20 } else { 0 };
    let beyond = figure.left.iter().chain(&figure.right).map(|&(_, count)| count);
    let most = figure.counts.iter().copied().chain(beyond).max().unwrap_or(0) as f64;
    let y = Axis::linear(&figure.y_label, (0.0, Axis::around([0.0, most], TICKS).1), TICKS);
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
