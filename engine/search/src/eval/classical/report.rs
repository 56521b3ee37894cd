//! The hand-written evaluation, broken down by term.

use std::fmt;

use alfiere_chess::board::Board;
use alfiere_chess::types::Color;

use super::pawns::structure;
use super::term_sink::Counts;
use super::weights::{Term, Weights};
use super::{Classical, FULL_PHASE, FULL_SCALE, Taper, count_all};
use crate::eval::Evaluator;

/// The value of a term to each side, middlegame and endgame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermValue {
    /// The term.
    pub term: Term,
    /// White's centipawns.
    pub white: [i32; 2],
    /// Black's.
    pub black: [i32; 2],
}

/// The parts of a position's evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassicalReport {
    /// Every term, in order.
    pub terms: Vec<TermValue>,
    /// Middlegame, from 0 to [`ClassicalReport::FULL_PHASE`].
    pub phase: i32,
    /// Scale factor of the endgame value, in sixty-fourths.
    pub endgame_scale: i32,
    /// The value in centipawns, from White's side.
    pub value: i32,
}

impl ClassicalReport {
    /// The phase in which only the middlegame counts.
    pub const FULL_PHASE: i32 = FULL_PHASE;
    /// The scale at which the endgame value counts in full.
    pub const FULL_SCALE: i32 = FULL_SCALE;

    /// Evaluates a position term by term.
    pub fn of(board: &Board) -> Self {
        let (weights, counts) = (Weights::embedded(), counts(board));
        let worth = |term: Term, side: Color| {
            let mut sums = [0; 2];
            for place in term.range() {
                let count = i32::from(counts.0[side.index()][place]);
                for (sum, weight) in sums.iter_mut().zip(weights.values(place)) {
                    *sum += count * weight;
                }
            }
            sums
        };
        let terms: Vec<TermValue> = Term::ALL
            .into_iter()
            .map(|term| TermValue { term, white: worth(term, Color::White), black: worth(term, Color::Black) })
            .collect();
        let endgame: i32 = terms.iter().map(|term| term.white[1] - term.black[1]).sum();
        let taper = Taper::of(board);
        let own = Classical::new().evaluate(board);
        let value = if board.side_to_move() == Color::White { own } else { -own };
        Self { terms, phase: taper.phase, endgame_scale: taper.scale(endgame > 0), value }
    }
}

/// Formats a table: a line per nonzero term, the sums, and how they are combined.
impl fmt::Display for ClassicalReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<20} {:>13} {:>13} {:>13}", "centipawns", "White", "Black", "difference")?;
        writeln!(f, "{:<20} {:>13} {:>13} {:>13}", "", "mid    end", "mid    end", "mid    end")?;
        let line = |f: &mut fmt::Formatter<'_>, name: &str, white: [i32; 2], black: [i32; 2]| {
            let halves = |[middlegame, endgame]: [i32; 2]| format!("{middlegame:>6} {endgame:>6}");
            let difference = [white[0] - black[0], white[1] - black[1]];
            writeln!(f, "{name:<20} {} {} {}", halves(white), halves(black), halves(difference))
        };
        let mut sums = [[0; 2]; 2];
        for TermValue { term, white, black } in &self.terms {
            for (sum, side) in sums.iter_mut().zip([white, black]) {
                sum[0] += side[0];
                sum[1] += side[1];
            }
            if *white != [0; 2] || *black != [0; 2] {
                line(f, term.label(), *white, *black)?;
            }
        }
        line(f, "sum", sums[0], sums[1])?;
        writeln!(
            f,
            "phase {}/{}, endgame scale {}/{}",
            self.phase,
            Self::FULL_PHASE,
            self.endgame_scale,
            Self::FULL_SCALE
        )?;
        write!(f, "value {:+} from White's side", self.value)
    }
}

pub(super) fn counts(board: &Board) -> Counts {
    let mut counts = Counts::new();
    let facts = structure(board, &mut counts);
    count_all(board, facts, &mut counts);
    counts
}
