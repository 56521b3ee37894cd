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

/// The language of the figure's words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// For the English edition of the book.
    English,
    /// For the Italian edition.
    Italian,
}

impl Language {
    fn title(self, depth: u8, positions: usize) -> String {
        match self {
            Self::English => format!("Symmetric look-up in Tablut, depth {depth}, {positions} positions"),
            Self::Italian => format!("La tabella simmetrica nel Tablut, profondità {depth}, {positions} posizioni"),
        }
    }

    fn plies_played(self) -> &'static str {
        match self {
            Self::English => "plies played",
            Self::Italian => "semimosse giocate",
        }
    }

    fn plain_look_up(self) -> &'static str {
        match self {
            Self::English => "plain look-up",
            Self::Italian => "tabella normale",
        }
    }

    /// The vertical axis.
    fn percent(self) -> &'static str {
        match self {
            Self::English => "% of plain look-up",
            Self::Italian => "% della tabella normale",
        }
    }

    /// The names of the lines.
    fn nodes_and_time(self) -> [&'static str; 2] {
        match self {
            Self::English => ["nodes", "time"],
            Self::Italian => ["nodi", "tempo"],
        }
    }
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
pub fn svg(samples: &[Sample], language: Language) -> Result<String, ChartError> {
    let shares = shares(samples);
    let depth = samples.iter().map(|sample| sample.depth).max().unwrap_or(0);
    let title = language.title(depth, samples.len());
    let colors = [color::series(0), color::series(1)];
    let [nodes, time] = language.nodes_and_time().map(str::to_owned);
    let look_up = (LegendKey::Level, language.plain_look_up().to_owned());
    let legend = [(LegendKey::Disc(colors[0]), nodes), (LegendKey::Disc(colors[1]), time), look_up];
    to_svg(WIDE, &title, |page| {
        let top = page.heading(&title, "", &legend)?;
        let x = Axis::linear(language.plies_played(), (0.0, PLIES[PLIES.len() - 1] as f64), 10);
        let y = Axis::linear(language.percent(), (0.0, 120.0), 6);
        let plot = page.plot(page.plot_area(top, &[&y]), &x, &y)?;
        plot.level(100.0)?;
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
