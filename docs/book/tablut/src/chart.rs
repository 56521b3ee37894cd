//! The figure of the chapter: nodes and time with symmetric look-up as a share of those without, by ply.

use alfiere_charts::{Axis, ChartError, LegendKey, Point, WIDE, color, to_svg};

use crate::experiment::{PLIES, Sample};

/// The sums of one ply.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// Plies played.
    pub ply: usize,
    /// Positions searched.
    pub positions: usize,
    /// Nodes with symmetric look-up, in percent of those without.
    pub nodes: f64,
    /// The same for time.
    pub time: f64,
}

/// The shares of each ply with samples.
pub fn shares(samples: &[Sample]) -> Vec<Share> {
    let percent = |sums: [u64; 2]| 100.0 * sums[1] as f64 / sums[0].max(1) as f64;
    PLIES
        .iter()
        .filter_map(|&ply| {
            let of_ply: Vec<_> = samples.iter().filter(|sample| sample.ply == ply).collect();
            let sum = |pair: fn(&Sample) -> [u64; 2]| {
                of_ply.iter().fold([0, 0], |sum, sample| [sum[0] + pair(sample)[0], sum[1] + pair(sample)[1]])
            };
            (!of_ply.is_empty()).then(|| Share {
                ply,
                positions: of_ply.len(),
                nodes: percent(sum(|sample| sample.nodes)),
                time: percent(sum(|sample| sample.microseconds)),
            })
        })
        .collect()
}

/// The figure as SVG.
///
/// # Errors
/// If the drawing library fails.
pub fn svg(samples: &[Sample]) -> Result<String, ChartError> {
    let shares = shares(samples);
    let depth = samples.iter().map(|sample| sample.depth).max().unwrap_or(0);
    let title = format!("Symmetric look-up in Tablut, depth {depth}, {} positions", samples.len());
    let colors = [color::series(0), color::series(1)];
    let legend = [(LegendKey::Disc(colors[0]), "nodes".to_owned()), (LegendKey::Disc(colors[1]), "time".to_owned())];
    to_svg(WIDE, &title, |page| {
        let top = page.heading(&title, "", &legend)?;
        let x = Axis::linear("plies played", (0.0, PLIES[PLIES.len() - 1] as f64), 10);
        let y = Axis::linear("% of plain look-up", (0.0, 120.0), 6);
        let plot = page.plot(page.plot_area(top, &[&y]), &x, &y)?;
        plot.level("plain look-up", 100.0)?;
        for (index, color) in colors.into_iter().enumerate() {
            let at = |share: &Share| plot.at((share.ply as f64, [share.nodes, share.time][index]));
            let points: Vec<Point> = shares.iter().map(at).collect();
            page.line(&points, color, 4)?;
            for point in points {
                page.disc(point, 8, color)?;
            }
        }
        Ok(())
    })
}
