//! Plots: the area of the data with its axes.

use plotters::prelude::*;

use super::axis::Axis;
use super::color::{AXIS, GRID, INK, SOFT};
use super::page::{Drawing, LABEL_WIDTH, MARGIN, Page, Point};
use super::text::{self, Align, SMALL, clean, fit, width, wrap};

/// The area of the data of a plot, in units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rect {
    /// Left edge.
    pub left: i32,
    /// Upper edge.
    pub top: i32,
    /// Right edge.
    pub right: i32,
    /// Lower edge.
    pub bottom: i32,
}

impl Rect {
    /// How many labels a horizontal axis below it has room for.
    pub const fn x_labels(&self) -> usize {
        ((self.right - self.left) / LABEL_WIDTH) as usize
    }

    /// The rectangle with these distances from its middle.
    pub const fn around(middle: Point, x: i32, y: i32) -> Self {
        Self { left: middle.0 - x, top: middle.1 - y, right: middle.0 + x, bottom: middle.1 + y }
    }

    /// True if the two share an area.
    pub const fn meets(self, other: Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }
}

/// A plot: the area of its data, and where values are in it.
pub struct Plot<'p, 'a> {
    page: &'p Page<'a>,
    chart: ChartContext<'a, SVGBackend<'a>, Cartesian2d<Axis, Axis>>,
    /// The area of the data.
    pub area: Rect,
}

/// Height of a horizontal axis with its name.
const FOOT: i32 = 92;
/// Space below the name of an axis.
const BELOW: i32 = 26;
/// Length of tick marks.
const TICK: i32 = 8;
/// Height of a line of a category's name, and the largest number of lines.
const LINE: i32 = 32;
const MAX_LINES: usize = 3;
/// Maximum length of a category's name that runs upwards.
const MAX_UPRIGHT: i32 = 400;

impl<'a> Page<'a> {
    /// The area from `top` to the horizontal axis, beside any of these vertical axes.
    pub fn plot_area(&self, top: i32, vertical: &[&Axis]) -> Rect {
        let labels = vertical.iter().flat_map(|axis| &axis.ticks).map(|(_, label)| width(label, SMALL));
        let names = if vertical.iter().any(|axis| !axis.name.is_empty()) { SMALL + 20 } else { 0 };
        let left = MARGIN + names + labels.max().unwrap_or(0) + 2 * TICK;
        Rect { left, top, right: self.width - MARGIN, bottom: self.height - FOOT - BELOW }
    }

    /// Draws the axes of a plot.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn plot(&self, area: Rect, x: &Axis, y: &Axis) -> Drawing<Plot<'_, 'a>> {
        let foot = if x.ticks.is_empty() && x.name.is_empty() { 2 } else { FOOT };
        self.plot_over(area, x, y, foot)
    }

    fn plot_over(&self, area: Rect, x: &Axis, y: &Axis, foot: i32) -> Drawing<Plot<'_, 'a>> {
        let size = (area.right - MARGIN, area.bottom + foot - area.top);
        let drawing = self.area.clone().shrink((MARGIN, area.top), (size.0.max(1) as u32, size.1.max(1) as u32));
        let mut chart = ChartBuilder::on(&drawing)
            .x_label_area_size(foot)
            .y_label_area_size(area.left - MARGIN)
            .build_cartesian_2d(x.clone(), y.clone())?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_x_mesh()
            .axis_style(AXIS.stroke_width(2))
            .bold_line_style(GRID.stroke_width(2))
            .light_line_style(TRANSPARENT)
            .set_all_tick_mark_size(TICK)
            .label_style(text::style(SMALL, SOFT, Align::Middle))
            .axis_desc_style(text::style(SMALL, INK, Align::Middle));
        if y.ticks.is_empty() {
            mesh.disable_y_axis();
        }
        if !x.name.is_empty() {
            mesh.x_desc(clean(&x.name));
        }
        if !y.name.is_empty() {
            mesh.y_desc(clean(&y.name));
        }
        mesh.draw()?;
        Ok(Plot { page: self, chart, area })
    }

    /// Draws the axes of a plot of categories. Their names are broken into lines or, without room, run upwards; the
    /// plot ends above them.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn plot_of_categories(&self, area: Rect, name: &str, categories: &[String], y: &Axis) -> Drawing<Plot<'_, 'a>> {
        let slot = (area.right - area.left) / categories.len().max(1) as i32;
        let names: Vec<String> = categories.iter().map(|name| clean(name)).collect();
        let lines: Vec<Vec<String>> = names.iter().map(|name| wrap(name, SMALL, slot - 20, MAX_LINES)).collect();
        let is_cut = lines.iter().flatten().any(|line| line.ends_with('…'));
        let upright: Vec<String> = names.iter().map(|name| fit(name, SMALL, MAX_UPRIGHT)).collect();
        let height = if is_cut {
            upright.iter().map(|name| width(name, SMALL)).max().unwrap_or(0)
        } else {
            lines.iter().map(Vec::len).max().unwrap_or(0) as i32 * LINE
        };
        let foot = TICK + height + if name.is_empty() { 0 } else { 48 };
        let area = Rect { bottom: self.height - BELOW - foot, ..area };
        let plot = self.plot_over(area, &Axis::categories(name, categories.len()), y, foot)?;
        for (index, (lines, name)) in lines.iter().zip(&upright).enumerate() {
            let x = plot.at((index as f64 + 0.5, 0.0)).0;
            if is_cut {
                self.upright((x, area.bottom + 2 * TICK), name, SMALL, SOFT)?;
                continue;
            }
            for (number, line) in (0..).zip(lines) {
                self.text((x, area.bottom + TICK + LINE / 2 + LINE * number), line, SMALL, SOFT, Align::Middle)?;
            }
        }
        Ok(plot)
    }
}

impl Plot<'_, '_> {
    /// The position of a value.
    pub fn at(&self, value: (f64, f64)) -> Point {
        let (at, start) = (self.chart.backend_coord(&value), self.page.area.get_base_pixel());
        (at.0 - start.0, at.1 - start.1)
    }

    /// Draws a dotted reference level, unless it is outside the axis; a legend names it, see [`Axis::level`].
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn level(&self, value: f64) -> Drawing {
        let Rect { left, right, .. } = self.area;
        let range = self.chart.y_range();
        if !(range.start..=range.end).contains(&value) {
            return Ok(());
        }
        let y = self.at((self.chart.x_range().start, value)).1;
        self.page.dotted(&[(left, y), (right, y)], INK)
    }

    /// Draws a dashed vertical line, with its name above the plot.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn mark(&self, name: &str, value: f64) -> Drawing {
        let Rect { left, top, right, bottom } = self.area;
        let x = self.at((value, self.chart.y_range().start)).0;
        self.page.dashed(&[(x, top), (x, bottom)], AXIS, 2)?;
        let half = width(name, SMALL) / 2;
        let middle = if 2 * half >= right - left { left + half } else { x.clamp(left + half, right - half) };
        self.page.text((middle, top - 18), name, SMALL, INK, Align::Middle)
    }
}
