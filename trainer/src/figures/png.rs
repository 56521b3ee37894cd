//! Converts SVG to PNG with the embedded font, independent of system fonts.

use std::sync::{Arc, OnceLock};

use alfiere_charts::{BOLD, REGULAR};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// Pixels per CSS pixel: sharp on high-density screens and in print.
const DENSITY: f32 = 2.0;

/// Renders and encodes the PNG.
pub(super) fn png(svg: &str) -> Result<Vec<u8>, String> {
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
