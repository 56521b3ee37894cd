//! Chapter 17: the other representation: a mailbox of 10 × 12 squares with piece lists, castling rights as four bits, and
//! moves taken back.

use alfiere_chess::board::Board;
use alfiere_chess::types::{CastleSide, Color, PieceKind, Rank, Square};

/// Colour and kind; a square outside the board has neither and is not empty.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    Outside,
    Piece(Color, PieceKind),
}

const KNIGHT: [isize; 8] = [-21, -19, -12, -8, 8, 12, 19, 21];
/// Diagonals first.
const KING: [isize; 8] = [-11, -9, 9, 11, -10, -1, 1, 10];
const PROMOTIONS: [PieceKind; 4] = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

/// A move; for castling, that of the king.
#[derive(Clone, Copy)]
struct Step {
    from: usize,
    to: usize,
    promotion: Option<PieceKind>,
}

/// What a move destroys.
struct Undo {
    captured: Option<(usize, Color, PieceKind)>,
    castling: u8,
    en_passant: usize,
}

// ANCHOR: mailbox
/// A position: for each square its piece, and for each side the squares of its pieces.
pub struct Mailbox {
    /// Ten columns and twelve rows, so that a knight's jump from any square stays inside the array.
    cells: [Cell; 120],
    /// In no order.
    lists: [Vec<usize>; 2],
    /// Where a piece is in its list.
    places: [usize; 120],
    kings: [usize; 2],
    /// White's king side 1, queen side 2; Black's 4 and 8.
    castling: u8,
    /// The square that a pawn has just passed; 0, which is outside, if there is none.
    en_passant: usize,
    side: Color,
}
// ANCHOR_END: mailbox

impl From<&Board> for Mailbox {
    fn from(board: &Board) -> Self {
        let mut mailbox = Self {
            cells: [Cell::Outside; 120],
            lists: [Vec::new(), Vec::new()],
            places: [0; 120],
            kings: Color::ALL.map(|side| cell(board.king(side))),
            castling: 0,
            en_passant: board.en_passant().map_or(0, cell),
            side: board.side_to_move(),
        };
        for square in Square::ALL {
            mailbox.cells[cell(square)] = Cell::Empty;
            if let Some(piece) = board.piece_on(square) {
                mailbox.put(cell(square), piece.color(), piece.kind());
            }
        }
        for (side, castle) in [(0, CastleSide::King), (1, CastleSide::Queen)] {
            for color in Color::ALL {
                mailbox.castling |= u8::from(board.castling_rights().has(color, castle)) << (2 * color.index() + side);
            }
        }
        mailbox
    }
}

/// The index of a square: a1 is 21, h8 is 98.
fn cell(square: Square) -> usize {
    21 + 10 * square.rank().index() + square.file().index()
}

// ANCHOR: castling
/// The rights that are left when a piece leaves this square or arrives on it.
const fn rights_left(cell: usize) -> u8 {
    match cell {
        25 => 0b1100,
        21 => 0b1101,
        28 => 0b1110,
        95 => 0b0011,
        91 => 0b0111,
        98 => 0b1011,
        _ => 0b1111,
    }
}
// ANCHOR_END: castling

impl Mailbox {
    /// The number of legal move sequences of length `depth`.
    pub fn perft(&mut self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = Vec::with_capacity(64);
        self.add_moves(&mut moves);
        let (us, mut count) = (self.side, 0);
        for step in moves {
            let undo = self.make(step);
            // The generator ignores checks and pins: a move that leaves the king attacked is found here.
            if !self.is_attacked(self.kings[us.index()], !us) {
                count += self.perft(depth - 1);
            }
            self.unmake(step, &undo);
        }
        count
    }

    fn put(&mut self, to: usize, color: Color, kind: PieceKind) {
        self.cells[to] = Cell::Piece(color, kind);
        let list = &mut self.lists[color.index()];
        self.places[to] = list.len();
        list.push(to);
    }

    fn remove(&mut self, from: usize, color: Color) {
        self.cells[from] = Cell::Empty;
        let (place, list) = (self.places[from], &mut self.lists[color.index()]);
        list.swap_remove(place);
        // The last piece of the list now has the place of the removed one.
        if let Some(&moved) = list.get(place) {
            self.places[moved] = place;
        }
    }

    fn shift(&mut self, from: usize, to: usize) {
        if let Cell::Piece(color, kind) = self.cells[from] {
            self.cells[to] = std::mem::replace(&mut self.cells[from], Cell::Empty);
            self.places[to] = self.places[from];
            self.lists[color.index()][self.places[to]] = to;
            if kind == PieceKind::King {
                self.kings[color.index()] = to;
            }
        }
    }

    fn make(&mut self, Step { from, to, promotion }: Step) -> Undo {
        let us = self.side;
        let Cell::Piece(_, kind) = self.cells[from] else { unreachable!("a move starts on a piece") };
        let is_pawn = kind == PieceKind::Pawn;
        let victim = if is_pawn && to == self.en_passant { behind(to, us) } else { to };
        let mut undo = Undo { captured: None, castling: self.castling, en_passant: self.en_passant };
        if let Cell::Piece(color, kind) = self.cells[victim] {
            undo.captured = Some((victim, color, kind));
            self.remove(victim, color);
        }
        self.shift(from, to);
        if let Some(kind) = promotion {
            self.cells[to] = Cell::Piece(us, kind);
        }
        if let Some((corner, beside)) = castling_rook(kind, from, to) {
            self.shift(corner, beside);
        }
        self.castling &= rights_left(from) & rights_left(to);
        self.en_passant = if is_pawn && from.abs_diff(to) == 20 { usize::midpoint(from, to) } else { 0 };
        self.side = !us;
        undo
    }

    fn unmake(&mut self, Step { from, to, promotion }: Step, undo: &Undo) {
        self.side = !self.side;
        if promotion.is_some() {
            self.cells[to] = Cell::Piece(self.side, PieceKind::Pawn);
        }
        self.shift(to, from);
        if let Cell::Piece(_, kind) = self.cells[from]
            && let Some((corner, beside)) = castling_rook(kind, from, to)
        {
            self.shift(beside, corner);
        }
        if let Some((victim, color, kind)) = undo.captured {
            self.put(victim, color, kind);
        }
        (self.castling, self.en_passant) = (undo.castling, undo.en_passant);
    }

    // ANCHOR: slide
    /// Adds the moves of a piece that goes on in each direction until something is in the way.
    fn add_slides(&self, from: usize, directions: &[isize], moves: &mut Vec<Step>) {
        for &direction in directions {
            let mut to = from.wrapping_add_signed(direction);
            while self.cells[to] == Cell::Empty {
                moves.push(Step { from, to, promotion: None });
                to = to.wrapping_add_signed(direction);
            }
            if matches!(self.cells[to], Cell::Piece(color, _) if color != self.side) {
                moves.push(Step { from, to, promotion: None });
            }
        }
    }
    // ANCHOR_END: slide

    fn add_moves(&self, moves: &mut Vec<Step>) {
        for &from in &self.lists[self.side.index()] {
            let Cell::Piece(_, kind) = self.cells[from] else { continue };
            match kind {
                PieceKind::Pawn => self.add_pawn_moves(from, moves),
                PieceKind::Knight => self.add_jumps(from, &KNIGHT, moves),
                PieceKind::Bishop => self.add_slides(from, &KING[..4], moves),
                PieceKind::Rook => self.add_slides(from, &KING[4..], moves),
                PieceKind::Queen => self.add_slides(from, &KING, moves),
                PieceKind::King => {
                    self.add_jumps(from, &KING, moves);
                    self.add_castling(from, moves);
                }
            }
        }
    }

    fn add_jumps(&self, from: usize, directions: &[isize; 8], moves: &mut Vec<Step>) {
        for to in directions.iter().map(|&direction| from.wrapping_add_signed(direction)) {
            if self.cells[to] == Cell::Empty || matches!(self.cells[to], Cell::Piece(color, _) if color != self.side) {
                moves.push(Step { from, to, promotion: None });
            }
        }
    }

    fn add_pawn_moves(&self, from: usize, moves: &mut Vec<Step>) {
        let mut add = |to: usize| {
            if matches!(to / 10, 2 | 9) {
                moves.extend(PROMOTIONS.map(|kind| Step { from, to, promotion: Some(kind) }));
            } else {
                moves.push(Step { from, to, promotion: None });
            }
        };
        let ahead = behind(from, !self.side);
        if self.cells[ahead] == Cell::Empty {
            add(ahead);
            let second = Rank::Second.relative_to(self.side).index() + 2;
            if from / 10 == second && self.cells[behind(ahead, !self.side)] == Cell::Empty {
                add(behind(ahead, !self.side));
            }
        }
        for to in [ahead - 1, ahead + 1] {
            if to == self.en_passant || matches!(self.cells[to], Cell::Piece(color, _) if color != self.side) {
                add(to);
            }
        }
    }

    fn add_castling(&self, king: usize, moves: &mut Vec<Step>) {
        let rights = self.castling >> (2 * self.side.index());
        let free = |cells: &[usize]| cells.iter().all(|&cell| self.cells[cell] == Cell::Empty);
        let safe = |cells: &[usize]| cells.iter().all(|&cell| !self.is_attacked(cell, !self.side));
        if rights & 1 != 0 && free(&[king + 1, king + 2]) && safe(&[king, king + 1]) {
            moves.push(Step { from: king, to: king + 2, promotion: None });
        }
        if rights & 2 != 0 && free(&[king - 1, king - 2, king - 3]) && safe(&[king, king - 1]) {
            moves.push(Step { from: king, to: king - 2, promotion: None });
        }
    }

    /// Whether a side attacks a square: looks from the square in all directions.
    fn is_attacked(&self, target: usize, by: Color) -> bool {
        let is = |cell: usize, kind| self.cells[cell] == Cell::Piece(by, kind);
        if KNIGHT.iter().any(|&jump| is(target.wrapping_add_signed(jump), PieceKind::Knight)) {
            return true;
        }
        let pawns = behind(target, by);
        if is(pawns - 1, PieceKind::Pawn) || is(pawns + 1, PieceKind::Pawn) {
            return true;
        }
        KING.iter().enumerate().any(|(number, &direction)| {
            let mut cell = target.wrapping_add_signed(direction);
            if is(cell, PieceKind::King) {
                return true;
            }
            while self.cells[cell] == Cell::Empty {
                cell = cell.wrapping_add_signed(direction);
            }
            let slider = if number < 4 { PieceKind::Bishop } else { PieceKind::Rook };
            is(cell, PieceKind::Queen) || is(cell, slider)
        })
    }
}

/// One row back, as a side sees it.
fn behind(cell: usize, side: Color) -> usize {
    if side == Color::White { cell - 10 } else { cell + 10 }
}

/// From where to where the rook goes if a king's move is castling.
fn castling_rook(kind: PieceKind, from: usize, to: usize) -> Option<(usize, usize)> {
    match (kind, to.wrapping_sub(from) as isize) {
        (PieceKind::King, 2) => Some((from + 3, from + 1)),
        (PieceKind::King, -2) => Some((from - 4, from - 1)),
        _ => None,
    }
}
