//! Renders figures to SVG, PNG and files.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use alfiere_charts::{BOLD, Drawing, Page, REGULAR, to_svg};
use alfiere_data::atomic;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

use super::figure::{Figure, FigureError, XAxis};
use super::verify::verify;
use super::{agreement, comparison, distributions, phase};

/// The narrowest page that a figure is drawn for, in pixels.
const MIN_PIXELS: u32 = 320;

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

    /// Renders the figure as PNG, with two pixels per SVG pixel.
    ///
    /// # Errors
    /// If there is nothing to draw, or a value is out of range.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        png(&self.svg()?).map_err(|reason| self.failure(reason))
    }

    /// Width and height in units of `alfiere_charts`, half a pixel.
    pub(super) fn size(&self) -> (i32, i32) {
        match self {
            Self::Comparison(figure) if figure.x_axis == XAxis::Categories => (comparison::width(figure), 1080),
            Self::Comparison(_) | Self::Curves(_) => (1800, 1080),
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

/// Pixels per CSS pixel: sharp on high-density screens and in print.
const DENSITY: f32 = 2.0;

/// Renders and encodes the PNG.
fn png(svg: &str) -> Result<Vec<u8>, String> {
    let tree = tree(svg)?;
    let size = tree.size();
    let [width, height] = [size.width(), size.height()].map(|length| (length * DENSITY).ceil() as u32);
    let mut pixels =
        Pixmap::new(width, height).ok_or_else(|| format!("invalid image size {width} × {height} pixels"))?;
    resvg::render(&tree, Transform::from_scale(DENSITY, DENSITY), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

/// The elements of an SVG file, with laid out texts.
pub(super) fn tree(svg: &str) -> Result<Tree, String> {
    let options = Options { fontdb: fonts(), ..Options::default() };
    Tree::from_str(svg, &options).map_err(|error| error.to_string())
}

fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_font_data(REGULAR.to_vec());
        fonts.load_font_data(BOLD.to_vec());
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}
