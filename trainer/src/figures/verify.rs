//! Validates a figure before it is drawn.

use alfiere_charts::color::MAX_SERIES;

use super::figure::FigureError;
use super::figure::{Agreement, Bands, Comparison, Curves, Figure, Histogram, Outcomes, PhaseError, XAxis};

/// Values beyond this lose precision on any axis.
const LARGEST: f64 = 1e12;

pub(super) fn verify(figure: &Figure) -> Result<(), FigureError> {
    match figure {
        Figure::Comparison(figure) => comparison(figure),
        Figure::Curves(figure) => curves(figure),
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
