//! The keys of earlier positions, both played and searched, used to detect repetitions, and moves that could repeat one.

use super::{Board, attacks, zobrist};
use crate::types::{Color, Piece, PieceKind, Square};

/// The positions before the current one, oldest first: those of the game, then those of the search path.
#[derive(Clone, Default, Debug)]
pub struct KeyHistory {
    keys: Vec<u64>,
    root: usize,
}

impl KeyHistory {
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    #[inline]
    pub fn clear(&mut self) {
        self.keys.clear();
        self.root = 0;
    }

    /// Appends the position that a move or a null move is about to leave.
    #[inline]
    pub fn push(&mut self, board: &Board) {
        self.keys.push(board.key());
    }

    /// Removes the last position when its move is unmade.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Marks the root of the search: positions so far belong to the game, later ones to the search path.
    #[inline]
    pub fn mark_root(&mut self) {
        self.root = self.keys.len();
    }

    /// Whether search may score this position as a draw: it occurred once before on the search path, or twice in all.
    ///
    /// One earlier occurrence on the search path is enough, because a side that repeats once can repeat again. An
    /// earlier occurrence in the game alone is not enough.
    #[inline]
    pub fn is_repetition(&self, board: &Board) -> bool {
        let mut played = 0;
        for index in self.occurrences(board) {
            if index >= self.root {
                return true;
            }
            played += 1;
            if played == 2 {
                return true;
            }
        }
        false
    }

    /// The number of earlier occurrences; two of them plus the current one make a threefold repetition.
    #[inline]
    pub fn count(&self, board: &Board) -> usize {
        self.occurrences(board).count()
    }

    /// Whether any position has occurred twice since the last move that cannot be taken back.
    pub fn has_repeated(&self, board: &Board) -> bool {
        let reach = usize::from(board.reversible_plies()).min(self.keys.len());
        let mut keys = self.keys[self.keys.len() - reach..].to_vec();
        keys.push(board.key());
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Whether the side to move has a move to a position for which [`Self::is_repetition`] would be true.
    ///
    /// Exact: if the path between the two squares is free, the move is legal, because the resulting position has
    /// occurred before.
    #[inline]
    pub fn has_upcoming_repetition(&self, board: &Board) -> bool {
        let end = self.keys.len();
        let reach = usize::from(board.reversible_plies()).min(end);
        if reach < 3 {
            return false;
        }
        let turn = zobrist::WHITE_TO_MOVE_KEY;
        // The key changes of the opponent's moves since an earlier position; they must cancel out, as one move of ours
        // can only undo our own.
        let mut theirs = board.key() ^ self.keys[end - 1] ^ turn;
        (3..=reach).step_by(2).map(|back| end - back).any(|index| {
            theirs ^= self.keys[index] ^ self.keys[index + 1] ^ turn;
            theirs == 0
                && self.leads_back(board, index)
                && (index >= self.root || self.occurred_earlier(index, end - reach))
        })
    }

    /// Whether the position at `index` is one move away and that move is not blocked.
    #[inline]
    fn leads_back(&self, board: &Board, index: usize) -> bool {
        reversible_move(board.key() ^ self.keys[index])
            .is_some_and(|[a, b]| (attacks::between(a, b) & board.occupied()).is_empty())
    }

    /// Whether the position at `index` also occurred earlier, at `first` or later.
    #[inline]
    fn occurred_earlier(&self, index: usize, first: usize) -> bool {
        self.keys[first..index].contains(&self.keys[index])
    }

    /// The indices of earlier occurrences of the position, latest first.
    #[inline]
    fn occurrences(&self, board: &Board) -> impl Iterator<Item = usize> {
        let end = self.keys.len();
        let reach = usize::from(board.reversible_plies()).min(end);
        let key = board.key();
        (4..=reach).step_by(2).map(move |back| end - back).filter(move |&index| self.keys[index] == key)
    }
}

// Reversible moves, recognised by the difference between two position keys.
//
// Any piece except a pawn can move back to its source square, so a reversible move changes the key by three numbers:
// the piece on both squares, and the side to move. A cuckoo hash table holds all these differences. Each has two
// possible slots, so a lookup takes at most two reads; an insertion that finds its slot occupied moves the occupant to
// its other slot. Idea: Marcel van Kervinck, "The design and implementation of Cuckoo tables for upcoming repetition".
// Independent of positions and their history.

const SLOTS: usize = 1 << 13;
/// Maximum number of displacements for one insertion; exceeding it is a compile-time error.
const MAX_DISPLACEMENTS: usize = 200;

static MOVES: Table = Table::new();

/// Zero marks an empty slot, because no difference is zero.
struct Table {
    differences: [u64; SLOTS],
    squares: [[Square; 2]; SLOTS],
}

/// The two squares of the reversible move (in either direction, on an empty board) that turns one position into the
/// other, for two positions whose keys differ by `difference`. `None` if no single move explains the difference.
fn reversible_move(difference: u64) -> Option<[Square; 2]> {
    slots(difference).into_iter().find(|&slot| MOVES.differences[slot] == difference).map(|slot| MOVES.squares[slot])
}

const fn slots(difference: u64) -> [usize; 2] {
    [difference as usize % SLOTS, (difference >> 16) as usize % SLOTS]
}

/// Whether a piece of this kind can move from one square to the other and back on an empty board.
const fn is_reversible(kind: PieceKind, a: Square, b: Square) -> bool {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    let straight = (files == 0) != (ranks == 0);
    let diagonal = files == ranks && files != 0;
    match kind {
        PieceKind::Pawn => false,
        PieceKind::Knight => files * ranks == 2,
        PieceKind::Bishop => diagonal,
        PieceKind::Rook => straight,
        PieceKind::Queen => straight || diagonal,
        PieceKind::King => (straight || diagonal) && files <= 1 && ranks <= 1,
    }
}

impl Table {
    #[allow(clippy::large_stack_arrays, reason = "computed by the compiler")]
    const fn new() -> Self {
        let mut table = Self { differences: [0; SLOTS], squares: [[Square::A1; 2]; SLOTS] };
        let mut kind = 0;
        while kind < PieceKind::ALL.len() {
            let mut pair = 0;
            while pair < 64 * 64 {
                let (a, b) = (Square::from_index(pair / 64), Square::from_index(pair % 64));
                if pair / 64 < pair % 64 && is_reversible(PieceKind::ALL[kind], a, b) {
                    table.insert(Piece::new(Color::White, PieceKind::ALL[kind]), [a, b]);
                    table.insert(Piece::new(Color::Black, PieceKind::ALL[kind]), [a, b]);
                }
                pair += 1;
            }
            kind += 1;
        }
        table
    }

    const fn insert(&mut self, piece: Piece, mut squares: [Square; 2]) {
        let mut displaced =
            zobrist::piece_key(piece, squares[0]) ^ zobrist::piece_key(piece, squares[1]) ^ zobrist::WHITE_TO_MOVE_KEY;
        let mut slot = slots(displaced)[0];
        let mut displacements = 0;
        loop {
            std::mem::swap(&mut self.differences[slot], &mut displaced);
            std::mem::swap(&mut self.squares[slot], &mut squares);
            if displaced == 0 {
                return;
            }
            let [first, second] = slots(displaced);
            slot = if slot == first { second } else { first };
            displacements += 1;
            assert!(displacements < MAX_DISPLACEMENTS, "the cuckoo table has an insertion cycle");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::attacks::piece_attacks;
    use crate::movegen::{legal_moves, parse_uci_move};
    use crate::types::{Bitboard, Move, MoveKind, PieceKind};

    fn play(board: &mut Board, keys: &mut KeyHistory, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = parse_uci_move(board, text).unwrap();
            keys.push(board);
            board.play(mv);
        }
    }

    #[test]
    fn played_and_searched_positions_count_differently() {
        let (mut board, mut keys) = (Board::startpos(), KeyHistory::new());
        play(&mut board, &mut keys, "g1f3 g8f6 f3g1 f6g8");
        keys.mark_root();
        assert!(!keys.is_repetition(&board), "second occurrence, both of the game");
        assert_eq!(keys.count(&board), 1);
        assert!(keys.has_repeated(&board));
        play(&mut board, &mut keys, "g1f3 g8f6 f3g1 f6g8");
        assert!(keys.is_repetition(&board), "an occurrence on the path");
        assert_eq!(keys.count(&board), 2);
        keys.mark_root();
        assert!(keys.is_repetition(&board), "third occurrence in the game");
    }

    #[test]
    fn null_moves_and_lost_castling_rights_end_repetitions() {
        let (mut board, mut keys) = (Board::startpos(), KeyHistory::new());
        keys.push(&board);
        board.play_null();
        play(&mut board, &mut keys, "g8f6 g1f3 f6g8 f3g1");
        keys.push(&board);
        board.play_null();
        assert!(!keys.is_repetition(&board));

        let mut board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let mut keys = KeyHistory::new();
        play(&mut board, &mut keys, "h1h2 e8d8 h2h1 d8e8");
        assert_eq!(keys.count(&board), 0);
    }

    /// Reference for [`KeyHistory::has_upcoming_repetition`]: plays every legal move.
    fn some_move_repeats(board: &Board, keys: &mut KeyHistory) -> bool {
        keys.push(board);
        let found = legal_moves(board).into_iter().any(|mv| {
            let mut child = board.clone();
            child.play(mv);
            keys.is_repetition(&child)
        });
        keys.pop();
        found
    }

    /// Positions with high and low mobility, pins, checks, castling rights and an en passant capture.
    const WALKS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/4r3/8/b7/8/2N5/4B3/4K3 w - - 0 1",
        "7k/8/8/8/8/p1p5/P1P5/1KB5 w - - 0 1",
        "8/8/1q2k3/8/3pP3/8/1Q3K2/8 b - e3 0 1",
        "8/3k4/8/1r6/8/4K3/8/6R1 w - - 0 1",
        "k7/p1p5/n1P5/PpP5/1pP5/1P6/P7/K1N5 w - b6 0 1",
        "nnnk4/8/8/8/8/8/8/4KBBB w - - 0 1",
    ];

    #[test]
    fn upcoming_repetitions_match_playing_every_move() {
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut random = |below: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 33) as usize % below
        };
        let (mut upcoming, mut compared) = (0, 0);
        for fen in WALKS.into_iter().cycle().take(400) {
            let (mut board, mut keys) = (Board::from_fen(fen).unwrap(), KeyHistory::new());
            let mut earlier: Vec<Move> = Vec::new();
            for ply in 0..60 {
                assert_eq!(keys.has_upcoming_repetition(&board), some_move_repeats(&board, &mut keys), "{fen} {board}");
                upcoming += usize::from(keys.has_upcoming_repetition(&board));
                compared += 1;
                if ply == 20 {
                    keys.mark_root();
                }
                if !board.in_check() && random(25) == 0 {
                    keys.push(&board);
                    board.play_null();
                    earlier.clear();
                    continue;
                }
                let moves = legal_moves(&board);
                // Undo the side's own last move if possible, otherwise play a move, preferably of a piece.
                let back = earlier.iter().rev().nth(1).map(|mv| Move::new(mv.target(), mv.source(), MoveKind::Quiet));
                let is_shift = |mv: &Move| mv.kind() == MoveKind::Quiet && board.moved(*mv).kind() != PieceKind::Pawn;
                let shifts: Vec<Move> = moves.iter().copied().filter(is_shift).collect();
                let mv = match back {
                    Some(back) if random(3) == 0 && moves.contains(&back) => back,
                    _ if random(12) > 0 && !shifts.is_empty() => shifts[random(shifts.len())],
                    _ if moves.is_empty() => break,
                    _ => moves[random(moves.len())],
                };
                keys.push(&board);
                board.play(mv);
                earlier.push(mv);
            }
        }
        assert!(upcoming > 2_000 && compared > 3 * upcoming, "{upcoming} of {compared}");
    }

    #[test]
    fn upcoming_repetitions_of_the_game_need_a_second_occurrence() {
        let (mut board, mut keys) = (Board::startpos(), KeyHistory::new());
        play(&mut board, &mut keys, "g1f3 g8f6 f3g1");
        assert!(keys.has_upcoming_repetition(&board), "all positions are on the search path");
        keys.mark_root();
        assert!(!keys.has_upcoming_repetition(&board), "the initial position occurred once");
        play(&mut board, &mut keys, "f6g8 g1f3 g8f6 f3g1");
        assert!(keys.has_upcoming_repetition(&board), "the initial position occurred twice");
        keys.mark_root();
        assert!(keys.has_upcoming_repetition(&board));
        play(&mut board, &mut keys, "b8c6");
        assert!(!keys.has_upcoming_repetition(&board));
    }

    #[test]
    fn every_move_of_a_piece_on_an_empty_board_is_found_and_nothing_else() {
        let mut found = 0;
        for piece in Piece::ALL {
            for from in Square::ALL {
                for to in Square::ALL.into_iter().filter(|&to| to != from) {
                    let keys = zobrist::piece_key(piece, from) ^ zobrist::piece_key(piece, to);
                    let expected = piece_attacks(piece.kind(), from, Bitboard::EMPTY).contains(to);
                    let squares = reversible_move(keys ^ zobrist::WHITE_TO_MOVE_KEY);
                    assert_eq!(squares, expected.then(|| [from.min(to), from.max(to)]), "{piece:?} {from} {to}");
                    assert_eq!(reversible_move(keys), None, "the turn has not changed");
                    found += usize::from(expected);
                }
            }
        }
        assert_eq!(found, 2 * 3668);
        assert_eq!(reversible_move(zobrist::WHITE_TO_MOVE_KEY), None, "a null move");
    }
}
