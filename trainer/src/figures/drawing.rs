//! Renders figures as SVG, and writes them to files.

use std::io::Write;
use std::path::Path;

use alfiere_charts::color::MAX_SERIES;
use alfiere_charts::{Drawing, Page, to_svg};
use alfiere_data::atomic;

use super::figure::{
    Agreement, Bands, Comparison, Curves, Figure, FigureError, Forest, Histogram, Outcomes, PhaseError, XAxis,
};
use super::{agreement, comparison, distributions, forest, phase};

/// The narrowest page that a figure is drawn for, in pixels.
const MIN_PIXELS: u32 = 320;

impl Figure {
    /// Writes the figure atomically, as SVG.
    ///
    /// # Errors
    /// If there is nothing to draw, a value is out of range, or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), FigureError> {
        let svg = self.svg()?;
        Ok(atomic::write(path, |file| file.write_all(svg.as_bytes()))?)
    }

    /// Renders the figure as SVG.
    ///
    /// # Errors
    /// If there is nothing to draw, or a value is out of range.
    pub fn svg(&self) -> Result<String, FigureError> {
        self.svg_of(self.size())
    }

    /// Renders the figure as SVG for a page of this width in pixels, if that is less than its usual width.
    ///
    /// # Errors
    /// If there is nothing to draw, or a value is out of range.
    pub fn svg_within(&self, pixels: u32) -> Result<String, FigureError> {
        let (width, height) = self.size();
        let narrow = (2 * pixels.clamp(MIN_PIXELS, 2_000) as i32).min(width);
        self.svg_of((narrow, (height * narrow / width).max(height.min(narrow * 5 / 4))))
    }

    fn svg_of(&self, size: (i32, i32)) -> Result<String, FigureError> {
        verify(self)?;
        to_svg(size, self.title(), |page| self.draw(page)).map_err(|error| self.failure(error.to_string()))
    }

    /// Width and height in units of `alfiere_charts`, half a pixel.
    pub(super) fn size(&self) -> (i32, i32) {
        match self {
            Self::Comparison(figure) if figure.x_axis == XAxis::Categories => (comparison::width(figure), 1080),
            Self::Comparison(_) | Self::Curves(_) => (1800, 1080),
            Self::Forest(figure) => (1800, forest::height(figure)),
            Self::Agreement(_) => (1400, 1300),
            Self::PhaseError(_) => (1800, 1280),
            Self::Histogram(_) => (1800, 880),
            Self::Bands(_) => (1800, 1200),
            Self::Outcomes(_) => (1800, 1120),
        }
    }

    fn draw(&self, page: &Page<'_>) -> Drawing {
        match self {
            Self::Comparison(figure) => comparison::draw(figure, page),
            Self::Curves(figure) => distributions::draw_curves(figure, page),
            Self::Forest(figure) => forest::draw(figure, page),
            Self::Agreement(figure) => agreement::draw(figure, page),
            Self::PhaseError(figure) => phase::draw(figure, page),
            Self::Histogram(figure) => distributions::draw_histogram(figure, page),
            Self::Bands(figure) => distributions::draw_bands(figure, page),
            Self::Outcomes(figure) => distributions::draw_outcomes(figure, page),
        }
    }

    fn failure(&self, reason: String) -> FigureError {
        FigureError::Drawing { title: self.title().to_owned(), reason }
    }
}

/// Values beyond this lose precision on any axis.
const LARGEST: f64 = 1e12;

pub(super) fn verify(figure: &Figure) -> Result<(), FigureError> {
    match figure {
        Figure::Comparison(figure) => comparison(figure),
        Figure::Curves(figure) => curves(figure),
        Figure::Forest(figure) => forest(figure),
        Figure::Agreement(figure) => agreement(figure),
        Figure::PhaseError(figure) => phase_error(figure),
        Figure::Histogram(figure) => histogram(figure),
        Figure::Bands(figure) => bands(figure),
        Figure::Outcomes(figure) => outcomes(figure),
    }
}

fn comparison(figure: &Comparison) -> Result<(), FigureError> {
    let title = &figure.title;
    require_any(title, "series", figure.series.len())?;
    require_few_series(title, figure.series.len())?;
    for series in &figure.series {
        require_any(title, &format!("groups in {}", series.name), series.groups.len())?;
        for group in &series.groups {
            let name =
                if series.name.is_empty() { group.label.clone() } else { format!("{} {}", series.name, group.label) };
            require_any(title, &format!("values for {name}"), group.values.len())?;
            for &value in &group.values {
                require_finite(title, || format!("a value of {name}"), value)?;
            }
            let place = || format!("the position of {name}");
            match figure.x_axis {
                XAxis::Categories => {}
                XAxis::Linear => require_finite(title, place, group.x.unwrap_or(f64::NAN))?,
                XAxis::Logarithmic => {
                    let x = group.x.unwrap_or(f64::NAN);
                    require_finite(title, place, x)?;
                    if x <= 0.0 {
                        return Err(value(title, place(), x, "a number above 0 on a logarithmic axis"));
                    }
                }
            }
        }
    }
    level(title, figure.baseline.as_ref())
}

fn curves(figure: &Curves) -> Result<(), FigureError> {
    let title = &figure.title;
    require_any(title, "curves", figure.curves.len())?;
    for curve in &figure.curves {
        require_any(title, &format!("points in the curve {}", curve.name), curve.points.len())?;
        for &(x, y) in &curve.points {
            require_finite(title, || format!("a position of the curve {}", curve.name), x)?;
            require_finite(title, || format!("the curve {} at {x}", curve.name), y)?;
        }
    }
    level(title, figure.mark.as_ref())?;
    level(title, figure.baseline.as_ref())
}

fn forest(figure: &Forest) -> Result<(), FigureError> {
    require_any(&figure.title, "rows", figure.rows.len())?;
    let ends = figure.rows.iter().flat_map(|row| row.interval.unwrap_or_default().map(|end| (&row.name, end)));
    ends.into_iter().try_for_each(|(name, end)| require_finite(&figure.title, || format!("an end of {name}"), end))
}

fn agreement(figure: &Agreement) -> Result<(), FigureError> {
    let title = &figure.title;
    require_any(title, "rows", figure.pairs.len())?;
    for &(label, prediction) in &figure.pairs {
        for (what, number) in [("a label", label), ("a prediction", prediction)] {
            if !(-1.0..=1.0).contains(&number) {
                return Err(value(title, what.to_owned(), number, "a number from -1 to 1"));
            }
        }
    }
    Ok(())
}

fn phase_error(figure: &PhaseError) -> Result<(), FigureError> {
    let title = &figure.title;
    require_any(title, "rows", figure.bins.iter().filter(|bin| bin.rows > 0).count())?;
    for bin in figure.bins.iter().filter(|bin| bin.rows > 0) {
        for (what, number) in [("MSE", bin.mse), ("MAE", bin.mae), ("R²", bin.r2), ("variance", bin.variance)] {
            require_finite(title, || format!("the {what} of {}", bin.label), number)?;
        }
    }
    Ok(())
}

fn histogram(figure: &Histogram) -> Result<(), FigureError> {
    let title = &figure.title;
    let beyond = figure.left.iter().chain(&figure.right).map(|&(_, count)| count);
    let rows: u64 = figure.counts.iter().copied().chain(beyond).sum();
    require_any(title, "rows", if figure.counts.is_empty() { 0 } else { rows as usize })?;
    require_finite(title, || "the start".to_owned(), figure.start)?;
    require_positive(title, "the width of a bar", figure.width)?;
    level(title, figure.mark.as_ref())
}

fn bands(figure: &Bands) -> Result<(), FigureError> {
    let title = &figure.title;
    require_any(title, "rows", figure.bands.iter().filter(|band| band.quantiles.is_some()).count())?;
    require_positive(title, "the height of the axis", figure.ends.1 - figure.ends.0)?;
    for band in &figure.bands {
        require_finite(title, || "a position".to_owned(), band.x)?;
        for &quantile in band.quantiles.iter().flatten() {
            if !(figure.ends.0..=figure.ends.1).contains(&quantile) {
                return Err(value(title, format!("a value at {}", band.x), quantile, "a number on the axis"));
            }
        }
    }
    Ok(())
}

fn outcomes(figure: &Outcomes) -> Result<(), FigureError> {
    let title = &figure.title;
    require_any(title, "rows", figure.bins.iter().filter(|bin| bin.1.iter().sum::<u64>() > 0).count())?;
    require_positive(title, "the width of a bin", figure.width)?;
    for (middle, _) in &figure.bins {
        require_finite(title, || "the middle of a bin".to_owned(), *middle)?;
    }
    figure.scale.map_or(Ok(()), |scale| require_positive(title, "the scale", scale))
}

fn require_positive(title: &str, place: &str, number: f64) -> Result<(), FigureError> {
    if number > 0.0 && number <= LARGEST {
        return Ok(());
    }
    Err(value(title, place.to_owned(), number, "a number above 0"))
}

fn level(title: &str, named: Option<&(String, f64)>) -> Result<(), FigureError> {
    named.map_or(Ok(()), |(name, number)| require_finite(title, || name.clone(), *number))
}

fn require_any(title: &str, what: &str, count: usize) -> Result<(), FigureError> {
    if count == 0 {
        return Err(FigureError::Empty { title: title.to_owned(), what: what.to_owned() });
    }
    Ok(())
}

fn require_few_series(title: &str, count: usize) -> Result<(), FigureError> {
    if count > MAX_SERIES {
        let reason = format!("{count} series; expected at most {MAX_SERIES}");
        return Err(FigureError::Drawing { title: title.to_owned(), reason });
    }
    Ok(())
}

fn require_finite(title: &str, place: impl FnOnce() -> String, number: f64) -> Result<(), FigureError> {
    if number.abs() <= LARGEST {
        return Ok(());
    }
    Err(value(title, place(), number, "a finite number within 1e12 of 0"))
}

fn value(title: &str, place: String, value: f64, expected: &'static str) -> FigureError {
    FigureError::Value { title: title.to_owned(), place, value, expected }
}
