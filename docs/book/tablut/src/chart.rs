//! The figure of the chapter: nodes and time with symmetric look-up as a share of those without, by ply.

use std::fmt::Write as _;

use crate::experiment::{PLIES, Sample};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 340.0;
const HIGHEST: f64 = 120.0;

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

    /// The names of the lines for nodes and time.
    fn lines(self) -> [&'static str; 2] {
        match self {
            Self::English => ["nodes, in % of plain look-up", "time, in % of plain look-up"],
            Self::Italian => ["nodi, in % della tabella normale", "tempo, in % della tabella normale"],
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
pub fn svg(samples: &[Sample], language: Language) -> String {
    let shares = shares(samples);
    let depth = samples.iter().map(|sample| sample.depth).max().unwrap_or(0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    text(&mut svg, f64::midpoint(LEFT, RIGHT), 24.0, "middle", &language.title(depth, samples.len()));
    for percent in (0..=120).step_by(20) {
        let height = y(f64::from(percent));
        let colour = if percent == 100 { "#888" } else { "#ddd" };
        line(&mut svg, [LEFT, height, RIGHT, height], colour);
        text(&mut svg, LEFT - 8.0, height + 4.0, "end", &format!("{percent} %"));
    }
    for ply in (0..=40).step_by(4) {
        text(&mut svg, x(ply), BOTTOM + 20.0, "middle", &ply.to_string());
    }
    text(&mut svg, f64::midpoint(LEFT, RIGHT), BOTTOM + 44.0, "middle", language.plies_played());
    let [nodes, time] = language.lines();
    for (place, (name, colour, value)) in
        [(nodes, "#0b6e4f", (|share| share.nodes) as fn(&Share) -> f64), (time, "#c8553d", |share| share.time)]
            .into_iter()
            .enumerate()
    {
        let points: Vec<_> = shares.iter().map(|share| format!("{:.1},{:.1}", x(share.ply), y(value(share)))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        for share in &shares {
            let (x, y) = (x(share.ply), y(value(share)));
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let height = BOTTOM - 50.0 + 22.0 * place as f64;
        let _ = writeln!(
            svg,
            "<line x1=\"430\" y1=\"{height}\" x2=\"460\" y2=\"{height}\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
        text(&mut svg, 468.0, height + 4.0, "start", name);
    }
    svg.push_str("</svg>\n");
    svg
}

fn x(ply: usize) -> f64 {
    LEFT + 10.0 + (RIGHT - LEFT - 20.0) * ply as f64 / PLIES[PLIES.len() - 1] as f64
}

fn y(percent: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * percent.clamp(0.0, HIGHEST) / HIGHEST
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}

fn line(svg: &mut String, [x1, y1, x2, y2]: [f64; 4], colour: &str) {
    let _ = writeln!(svg, "<line x1=\"{x1}\" y1=\"{y1:.1}\" x2=\"{x2}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>");
}
