//! Converts the network's output to centipawns as Stockfish 19 does for its search and its output.

use alfiere_chess::board::Board;
use alfiere_chess::types::PieceKind;

/// Material values for counting the material on the board.
const UNITS: [(PieceKind, i64); 5] = [
    (PieceKind::Pawn, 534),
    (PieceKind::Knight, 781),
    (PieceKind::Bishop, 825),
    (PieceKind::Rook, 1276),
    (PieceKind::Queen, 2538),
];
/// Material at which the evaluation would be doubled.
const DOUBLED_AT_MATERIAL: i64 = 91_000;
/// Difference of the two parts at which the evaluation would be reduced to 0.
const ZERO_AT_DIFFERENCE: i64 = 18_236;
/// Larger values are known wins or losses.
const LIMIT: i64 = 31_506;
/// The evaluation that is a winning probability of 50%, as a polynomial in material; cubic term first.
const EVEN_WIN_RATE: [f64; 4] = [-142.72052667, 372.35176398, -340.71073572, 415.23490212];

/// A network output for the side to move in Stockfish's internal unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkValue {
    /// The PSQT part.
    pub material: i32,
    /// The positional part, from the layers.
    pub positional: i32,
}

impl NetworkValue {
    /// The sum of both parts.
    pub fn sum(self) -> i32 {
        self.material + self.positional
    }

    /// The static evaluation that Stockfish's search would use, without optimism and without the damping by the
    /// fifty-move counter: reduced if the two parts disagree, increased with the material on the board.
    fn static_evaluation(self, board: &Board) -> i32 {
        let sum = i64::from(self.sum());
        let disagreement = i64::from((self.material - self.positional).abs());
        let value = sum - sum * disagreement / ZERO_AT_DIFFERENCE;
        let units: i64 = UNITS.iter().map(|&(kind, units)| i64::from(board.pieces(kind).count()) * units).sum();
        (value + value * units / DOUBLED_AT_MATERIAL).clamp(-LIMIT, LIMIT) as i32
    }

    /// The static evaluation in centipawns: 100 is a winning probability of 50% with the given material.
    pub fn centipawns(self, board: &Board) -> i32 {
        let material = f64::from(board.material().clamp(17, 78)) / 58.0;
        let pawn = EVEN_WIN_RATE.into_iter().fold(0.0, |sum, factor| sum * material + factor);
        (f64::from(100 * self.static_evaluation(board)) / pawn).round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_match_stockfish() {
        let centipawns = |fen: &str, material, positional| {
            NetworkValue { material, positional }.centipawns(&Board::from_fen(fen).expect("a legal position"))
        };
        // From Stockfish's `eval`, for the stack in use.
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(centipawns(after_e4, -85, 25), -27);
        assert_eq!(centipawns(after_e4, 0, 0), 0);
        assert_eq!(centipawns(after_e4, 1_000_000, 0), -centipawns(after_e4, -1_000_000, 0));
    }
}
