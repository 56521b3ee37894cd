//! Inputs for attacks and protections between pieces.
//!
//! Excluded are attacks by or on kings, attacks between pawns, and other attacks that Stockfish considers unimportant:
//! see `TARGETS`. If two pieces of the same kind attack each other, only the attack by the one later in the view's square
//! order counts.

use alfiere_chess::board::Board;
use alfiere_chess::board::attacks::{
    bishop_attacks, bishop_rays, knight_attacks, pawn_attacks, queen_attacks, rook_attacks, rook_rays,
};
use alfiere_chess::types::{Bitboard, Color, File, Piece, PieceKind, Square};

/// Number of inputs; some indices are never used.
pub(super) const INPUTS: usize = 59_808;
/// For each piece type except the king, the piece types whose attack is an input, in input order.
const TARGETS: [&[PieceKind]; 5] = {
    use PieceKind::*;
    [
        &[Knight, Rook],
        &[Pawn, Knight, Bishop, Rook, Queen],
        &[Pawn, Knight, Bishop, Rook],
        &[Pawn, Knight, Bishop, Rook],
        &[Pawn, Knight, Bishop, Rook, Queen],
    ]
};
/// Marks a threat that is not an input.
const NONE: u32 = INPUTS as u32;

/// One piece that attacks or protects another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Threat {
    attacker: Piece,
    from: Square,
    target: Piece,
    to: Square,
}

/// Appends the threats on a board that may be inputs, each once.
pub(super) fn append_threats(board: &Board, threats: &mut Vec<Threat>) {
    let occupied = board.occupied();
    let targets = TARGETS.map(|kinds| kinds.iter().fold(Bitboard::EMPTY, |all, &kind| all | board.pieces(kind)));
    for attacker in Piece::ALL {
        let Some(&targets) = targets.get(attacker.kind().index()) else {
            continue;
        };
        for from in board.colored(attacker.color(), attacker.kind()) {
            let attacked = targets
                & match attacker.kind() {
                    PieceKind::Pawn => pawn_attacks(attacker.color(), from),
                    PieceKind::Knight => knight_attacks(from),
                    PieceKind::Bishop => bishop_attacks(from, occupied),
                    PieceKind::Rook => rook_attacks(from, occupied),
                    PieceKind::Queen => queen_attacks(from, occupied),
                    PieceKind::King => Bitboard::EMPTY,
                };
            threats.extend(
                attacked.filter_map(|to| board.piece_on(to).map(|target| Threat { attacker, from, target, to })),
            );
        }
    }
}

/// Input indices, computed from the rules of chess.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// First input, indexed by attacker and target from the view and by whether the attacker's square comes first.
    pairs: [[[u32; 2]; 12]; 12],
    /// Number of inputs of earlier squares, indexed by attacker and square.
    squares: [[u32; 64]; 12],
    /// Squares attacked on an empty board, indexed by attacker and square.
    reach: [[u64; 64]; 12],
}

impl Numbering {
    pub(super) fn new() -> Self {
        let mut numbering = Self { pairs: [[[NONE; 2]; 12]; 12], squares: [[0; 64]; 12], reach: [[0; 64]; 12] };
        let mut first = 0;
        for attacker in Piece::ALL {
            let Some(&targets) = TARGETS.get(attacker.kind().index()) else {
                continue;
            };
            let mut attacks = 0;
            for from in Square::ALL {
                let reach = reach(attacker, from).0;
                numbering.squares[attacker.index()][from.index()] = attacks;
                numbering.reach[attacker.index()][from.index()] = reach;
                attacks += reach.count_ones();
            }
            for color in Color::ALL {
                for &kind in targets {
                    let earlier = if kind == attacker.kind() { NONE } else { first };
                    numbering.pairs[attacker.index()][Piece::new(color, kind).index()] = [first, earlier];
                    first += attacks;
                }
            }
        }
        numbering
    }

    /// Appends the inputs of threats, in order.
    pub(super) fn inputs(&self, threats: &[Threat], orientation: Orientation, inputs: &mut Vec<u16>) {
        let (seen, mask) = (SEEN[orientation.view.index()], orientation.mask());
        inputs.clear();
        inputs.resize(threats.len(), 0);
        // Branchless: every input is written, and overwritten by the next one if it does not count, because branches
        // would be mispredicted.
        let mut count = 0;
        for threat in threats {
            let (attacker, target) = (seen[threat.attacker.index()], seen[threat.target.index()]);
            let (from, to) = (threat.from.index() ^ mask, threat.to.index() ^ mask);
            let before = self.reach[attacker][from] & ((1 << to) - 1);
            let input = self.pairs[attacker][target][usize::from(from < to)]
                + self.squares[attacker][from]
                + before.count_ones();
            inputs[count] = input as u16;
            count += usize::from(input < NONE);
        }
        inputs.truncate(count);
    }
}

/// Pieces relative to each view, with its own side as White.
const SEEN: [[usize; 12]; 2] = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5]];

/// Squares that a piece attacks on an empty board; none for a pawn on the first or last rank.
fn reach(piece: Piece, square: Square) -> Bitboard {
    match piece.kind() {
        PieceKind::Pawn if !(8..56).contains(&square.index()) => Bitboard::EMPTY,
        PieceKind::Pawn => pawn_attacks(piece.color(), square),
        PieceKind::Knight => knight_attacks(square),
        PieceKind::Bishop => bishop_rays(square),
        PieceKind::Rook => rook_rays(square),
        PieceKind::Queen => bishop_rays(square) | rook_rays(square),
        PieceKind::King => Bitboard::EMPTY,
    }
}

/// Transforms squares to a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Orientation {
    pub(super) view: Color,
    /// True if files are mirrored.
    pub(super) mirrored: bool,
}

impl Orientation {
    /// Puts the king on files e to h.
    pub(super) fn with_king_right(view: Color, king: Square) -> Self {
        Self { view, mirrored: king.file() <= File::D }
    }

    /// Puts the king on files a to d.
    pub(super) fn with_king_left(view: Color, king: Square) -> Self {
        Self { view, mirrored: king.file() > File::D }
    }

    /// Mask that a square index is combined with by exclusive or.
    pub(super) fn mask(self) -> usize {
        (if self.view == Color::White { 0 } else { 0b11_1000 }) | (if self.mirrored { 0b00_0111 } else { 0 })
    }

    /// Index of a square in this view.
    pub(super) fn square(self, square: Square) -> usize {
        square.index() ^ self.mask()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All possible threats, each on an otherwise empty board.
    fn all_threats() -> Vec<Threat> {
        let mut threats = Vec::new();
        for attacker in Piece::ALL {
            for from in Square::ALL {
                for to in reach(attacker, from) {
                    threats.extend(Piece::ALL.map(|target| Threat { attacker, from, target, to }));
                }
            }
        }
        threats
    }

    fn inputs(numbering: &Numbering, threats: &[Threat], orientation: Orientation) -> Vec<u16> {
        let mut inputs = Vec::new();
        numbering.inputs(threats, orientation, &mut inputs);
        inputs
    }

    #[test]
    fn inputs_are_unique() {
        let orientation = Orientation::with_king_left(Color::White, Square::A1);
        let mut inputs = inputs(&Numbering::new(), &all_threats(), orientation);
        let count = inputs.len();
        inputs.sort_unstable();
        inputs.dedup();
        assert_eq!(inputs.len(), count);
        assert!(inputs.iter().all(|&input| usize::from(input) < INPUTS));
        // The attacks of a knight, bishop, rook and queen from all squares: half of them are unused against each colour
        // of the same piece type.
        assert_eq!(count, INPUTS - 2 * (336 + 560 + 896 + 1456));
    }

    #[test]
    fn inputs_are_symmetric_in_colours_and_wings() {
        let numbering = Numbering::new();
        let threats = all_threats();
        let own = inputs(&numbering, &threats, Orientation::with_king_left(Color::White, Square::B1));
        let twin = |piece: Piece| Piece::new(!piece.color(), piece.kind());
        let flipped: Vec<Threat> = threats
            .iter()
            .map(|threat| Threat {
                attacker: twin(threat.attacker),
                from: threat.from.flip(),
                target: twin(threat.target),
                to: threat.to.flip(),
            })
            .collect();
        assert_eq!(own, inputs(&numbering, &flipped, Orientation::with_king_left(Color::Black, Square::B8)));
        let mirrored: Vec<Threat> = threats
            .iter()
            .map(|threat| Threat { from: threat.from.mirror(), to: threat.to.mirror(), ..*threat })
            .collect();
        assert_eq!(own, inputs(&numbering, &mirrored, Orientation::with_king_left(Color::White, Square::G1)));
    }

    #[test]
    fn threats_match_a_hand_checked_board() {
        let board = Board::from_fen("4k3/2r5/8/1Pn5/8/4B3/2R1p3/4K3 w - - 0 1").expect("a legal position");
        let mut threats = Vec::new();
        append_threats(&board, &mut threats);
        let mut squares: Vec<String> = threats.iter().map(|threat| format!("{}{}", threat.from, threat.to)).collect();
        squares.sort_unstable();
        // Excludes pawns, which attack nothing that counts, blocked attacks and kings.
        assert_eq!(squares, ["c2c5", "c2e2", "c7c5", "e3c5"]);
    }
}
