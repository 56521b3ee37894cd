//! Renders figures to SVG, PNG and files.

use std::io::Write;
use std::path::Path;

use super::canvas::Canvas;
use super::error::FigureError;
use super::figure::Figure;
use super::font::Fonts;
use super::verify::verify;
use super::{agreement, bands, bars, comparison, curves, histogram, outcomes, phase, raster, svg};
use crate::data::atomic;

impl Figure {
    /// Writes the figure atomically, as SVG or PNG depending on the file extension.
    ///
    /// # Errors
    /// If there is nothing to draw, a value is out of range, the extension is unknown, or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), FigureError> {
        let bytes = match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => self.svg()?.into_bytes(),
            Some("png") => self.png()?,
            _ => return Err(FigureError::Extension(path.to_path_buf())),
        };
        Ok(atomic::write(path, |file| file.write_all(&bytes))?)
    }

    /// Renders the figure as SVG.
    ///
    /// # Errors
    /// If there is nothing to draw, or a value is out of range.
    pub fn svg(&self) -> Result<String, FigureError> {
        Ok(svg::svg(&self.canvas()?, self.title()))
    }

    /// Renders the figure as PNG, with two pixels per SVG unit.
    ///
    /// # Errors
    /// If there is nothing to draw, or a value is out of range.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        raster::png(&self.canvas()?).map_err(|reason| self.failure(reason))
    }

    fn canvas(&self) -> Result<Canvas, FigureError> {
        verify(self)?;
        let fonts = Fonts::load().map_err(|error| self.failure(error.to_string()))?;
        Ok(match self {
            Self::Comparison(figure) => comparison::draw(figure, fonts),
            Self::Curves(figure) => curves::draw(figure, fonts),
            Self::Agreement(figure) => agreement::draw(figure, fonts),
            Self::PhaseError(figure) => phase::draw(figure, fonts),
            Self::Histogram(figure) => histogram::draw(figure, fonts),
            Self::Bands(figure) => bands::draw(figure, fonts),
            Self::Outcomes(figure) => outcomes::draw(figure, fonts),
            Self::Bars(figure) => bars::draw(figure, fonts),
        })
    }

    fn failure(&self, reason: String) -> FigureError {
        FigureError::Drawing { title: self.title().to_owned(), reason }
    }
}
