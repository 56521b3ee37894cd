//! From the network's value to centipawns, as Stockfish 19 does it for its own search and its own output.

use alfiere_chess::board::Board;
use alfiere_chess::types::PieceKind;

/// What pieces weigh when the material on the board is counted.
const UNITS: [(PieceKind, i64); 5] = [
    (PieceKind::Pawn, 534),
    (PieceKind::Knight, 781),
    (PieceKind::Bishop, 825),
    (PieceKind::Rook, 1276),
    (PieceKind::Queen, 2538),
];
/// Material that would double the value.
const DOUBLING: i64 = 91_000;
/// Difference of the two parts at which nothing would be left of the value.
const VANISHING: i64 = 18_236;
/// Larger values mean a known result.
const LIMIT: i64 = 31_506;
/// The value with even chances to win, a polynomial of material as players count it: cubic term first.
const EVEN_CHANCES: [f64; 4] = [-142.72052667, 372.35176398, -340.71073572, 415.23490212];

/// A value for the side to move in the program's internal unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkValue {
    /// What the inputs are worth by themselves.
    pub material: i32,
    /// What the layers say.
    pub positional: i32,
}

impl NetworkValue {
    /// The network's value.
    pub fn sum(self) -> i32 {
        self.material + self.positional
    }

    /// The value that the program's search would use, without optimism and without the discount for moves without
    /// progress: smaller the less the two parts agree, larger with more pieces on the board.
    pub fn static_evaluation(self, board: &Board) -> i32 {
        let sum = i64::from(self.sum());
        let disagreement = i64::from((self.material - self.positional).abs());
        let value = sum - sum * disagreement / VANISHING;
        let units: i64 = UNITS.iter().map(|&(kind, units)| i64::from(board.pieces(kind).count()) * units).sum();
        (value + value * units / DOUBLING).clamp(-LIMIT, LIMIT) as i32
    }

    /// The static evaluation in centipawns: 100 for an even chance to win with the material on the board.
    pub fn centipawns(self, board: &Board) -> i32 {
        let material = f64::from(board.material().clamp(17, 78)) / 58.0;
        let pawn = EVEN_CHANCES.into_iter().fold(0.0, |sum, factor| sum * material + factor);
        (f64::from(100 * self.static_evaluation(board)) / pawn).round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_are_those_that_the_program_prints() {
        let centipawns = |fen: &str, material, positional| {
            NetworkValue { material, positional }.centipawns(&Board::from_fen(fen).expect("a legal position"))
        };
        // From its `eval`, with the parts of the stack that it uses.
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(centipawns(after_e4, -85, 25), -27);
        assert_eq!(centipawns(after_e4, 0, 0), 0);
        assert_eq!(centipawns(after_e4, 1_000_000, 0), -centipawns(after_e4, -1_000_000, 0));
    }
}
