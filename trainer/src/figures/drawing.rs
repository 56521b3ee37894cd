//! Renders figures as SVG, and writes them to files.

use std::io::Write;
use std::path::Path;

use alfiere_charts::color::MAX_SERIES;
use alfiere_charts::{Drawing, Page, to_svg};
use alfiere_data::atomic;

use super::figure::{
    Agreement, Comparison, Curves, Figure, FigureError, Forest, Histogram, Material, Outcomes, PhaseError, XAxis,
};
use super::{agreement, comparison, distributions, forest, phase};

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
        let drawn = verify(self).and_then(|()| {
            to_svg(self.size(), self.title(), |page| self.draw(page)).map_err(|error| error.to_string())
        });
        drawn.map_err(|reason| FigureError::Drawing { title: self.title().to_owned(), reason })
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
            Self::Material(_) => (1800, 1200),
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
            Self::Material(figure) => distributions::draw_material(figure, page),
            Self::Outcomes(figure) => distributions::draw_outcomes(figure, page),
        }
    }
}

/// Values beyond this lose precision on any axis.
const LARGEST: f64 = 1e12;

/// Whether a figure can be drawn, or why not.
type Verdict = Result<(), String>;

fn verify(figure: &Figure) -> Verdict {
    match figure {
        Figure::Comparison(figure) => comparison(figure),
        Figure::Curves(figure) => curves(figure),
        Figure::Forest(figure) => forest(figure),
        Figure::Agreement(figure) => agreement(figure),
        Figure::PhaseError(figure) => phase_error(figure),
        Figure::Histogram(figure) => histogram(figure),
        Figure::Material(figure) => material(figure),
        Figure::Outcomes(figure) => outcomes(figure),
    }
}

fn comparison(figure: &Comparison) -> Verdict {
    let count = figure.series.len();
    require_any("series", count)?;
    if count > MAX_SERIES {
        return Err(format!("{count} series; expected at most {MAX_SERIES}"));
    }
    for series in &figure.series {
        require_any(&format!("groups in {}", series.name), series.groups.len())?;
        for group in &series.groups {
            let name = format!("{} {}", series.name, group.label);
            let name = name.trim_start();
            require_any(&format!("values for {name}"), group.values.len())?;
            for &value in &group.values {
                require_finite(|| format!("a value of {name}"), value)?;
            }
            if figure.x_axis == XAxis::Categories {
                continue;
            }
            let (place, x) = (|| format!("the position of {name}"), group.x.unwrap_or(f64::NAN));
            require_finite(place, x)?;
            let is_below = figure.x_axis == XAxis::Logarithmic && x <= 0.0;
            require(!is_below, place, x, "a number above 0 on a logarithmic axis")?;
        }
    }
    level(figure.baseline.as_ref())
}

fn curves(figure: &Curves) -> Verdict {
    require_any("curves", figure.curves.len())?;
    for curve in &figure.curves {
        require_any(&format!("points in the curve {}", curve.name), curve.points.len())?;
        for &(x, y) in &curve.points {
            require_finite(|| format!("a position of the curve {}", curve.name), x)?;
            require_finite(|| format!("the curve {} at {x}", curve.name), y)?;
        }
    }
    level(figure.mark.as_ref())?;
    level(figure.baseline.as_ref())
}

fn forest(figure: &Forest) -> Verdict {
    require_any("rows", figure.rows.len())?;
    let mut ends = figure.rows.iter().flat_map(|row| row.interval.unwrap_or_default().map(|end| (&row.name, end)));
    ends.try_for_each(|(name, end)| require_finite(|| format!("an end of {name}"), end))
}

fn agreement(figure: &Agreement) -> Verdict {
    require_any("rows", figure.pairs.len())?;
    let mut numbers =
        figure.pairs.iter().flat_map(|&(label, prediction)| [("a label", label), ("a prediction", prediction)]);
    numbers.try_for_each(|(what, number)| require_clipped(|| what.to_owned(), number))
}

fn phase_error(figure: &PhaseError) -> Verdict {
    let bins = || figure.bins.iter().filter_map(|bin| Some((&bin.pieces, bin.metrics?)));
    require_any("rows", bins().count())?;
    for (pieces, found) in bins() {
        for (what, number) in
            [("MSE", found.mse), ("MAE", found.mae), ("R²", found.r2), ("variance", found.label_variance)]
        {
            require_finite(|| format!("the {what} of {} to {}", pieces.start(), pieces.end()), number)?;
        }
    }
    Ok(())
}

fn histogram(figure: &Histogram) -> Verdict {
    let beyond = figure.left.iter().chain(&figure.right).map(|&(_, count)| count);
    let rows: u64 = figure.counts.iter().copied().chain(beyond).sum();
    require_any("rows", if figure.counts.is_empty() { 0 } else { rows as usize })?;
    require_finite(|| "the start".to_owned(), figure.start)?;
    require_positive("the width of a bar", figure.width)?;
    level(figure.mark.as_ref())
}

fn material(figure: &Material) -> Verdict {
    let quantiles =
        || figure.bins.iter().flat_map(|bin| bin.quantiles.into_iter().flatten().map(move |one| (bin, one)));
    require_any("rows", quantiles().count())?;
    quantiles().try_for_each(|(bin, one)| require_clipped(|| format!("a label at {}", bin.balance), one))
}

fn outcomes(figure: &Outcomes) -> Verdict {
    require_any("rows", figure.bins.iter().filter(|bin| bin.rows() > 0).count())?;
    require_positive("the width of a bin", figure.width)?;
    for bin in &figure.bins {
        require_finite(|| "the middle of a bin".to_owned(), bin.centipawns)?;
    }
    figure.scale.map_or(Ok(()), |scale| require_positive("the scale", scale))
}

fn level(named: Option<&(String, f64)>) -> Verdict {
    named.map_or(Ok(()), |(name, number)| require_finite(|| name.clone(), *number))
}

fn require_any(what: &str, count: usize) -> Verdict {
    if count == 0 { Err(format!("no {what}")) } else { Ok(()) }
}

fn require_positive(place: &str, number: f64) -> Verdict {
    require(number > 0.0 && number <= LARGEST, || place.to_owned(), number, "a number above 0")
}

fn require_clipped(place: impl FnOnce() -> String, number: f64) -> Verdict {
    require((-1.0..=1.0).contains(&number), place, number, "a number from -1 to 1")
}

fn require_finite(place: impl FnOnce() -> String, number: f64) -> Verdict {
    require(number.abs() <= LARGEST, place, number, "a finite number within 1e12 of 0")
}

fn require(is_sound: bool, place: impl FnOnce() -> String, number: f64, expected: &str) -> Verdict {
    if is_sound { Ok(()) } else { Err(format!("{} is {number}; expected {expected}", place())) }
}
