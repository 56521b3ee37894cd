//! A position, and moves made and taken back by exclusive or.

use crate::{
    geometry::{ALL_CAMPS, BESIDE_CASTLE, CASTLE, ESCAPES, NEIGHBOURS, PATTERNS, Set, Square, squares},
    symmetry::{Keys, Symmetry},
};

/// A player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The king and his soldiers; moves first.
    White,
    /// The soldiers of the camps.
    Black,
}

impl Side {
    /// The other player.
    pub fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Black's soldier.
    Attacker,
    /// White's soldier.
    Defender,
    /// White's king.
    King,
}

/// A move from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Where the piece leaves.
    pub from: Square,
    /// Where it arrives.
    pub to: Square,
}

impl Move {
    /// The same move on the image of the board.
    pub fn image(self, symmetry: Symmetry) -> Self {
        Self { from: symmetry.image(self.from), to: symmetry.image(self.to) }
    }
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pieces: [Set; 3],
    side: Side,
    winner: Option<Side>,
    keys: Keys,
}

/// What a move captured: needed to take it back.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Undo {
    captured: Set,
}

impl Undo {
    /// Whether the move captured a soldier: no earlier position can occur again.
    pub fn is_capture(self) -> bool {
        self.captured != 0
    }
}

impl Board {
    /// A board without pieces, which `put` completes.
    pub(crate) fn empty(side: Side) -> Self {
        let mut board = Self { pieces: [0; 3], side: Side::White, winner: None, keys: Keys::default() };
        if side == Side::Black {
            board.switch_side();
        }
        board
    }

    pub(crate) fn put(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square.bit());
    }

    /// The squares of the pieces of a kind.
    pub fn pieces(&self, piece: Piece) -> Set {
        self.pieces[piece as usize]
    }

    /// The squares of the pieces of a player.
    pub fn pieces_of(&self, side: Side) -> Set {
        match side {
            Side::White => self.pieces(Piece::Defender) | self.pieces(Piece::King),
            Side::Black => self.pieces(Piece::Attacker),
        }
    }

    /// All squares with a piece.
    pub fn occupied(&self) -> Set {
        self.pieces_of(Side::White) | self.pieces_of(Side::Black)
    }

    /// The piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        [Piece::Attacker, Piece::Defender, Piece::King]
            .into_iter()
            .find(|&piece| self.pieces(piece) & square.bit() != 0)
    }

    /// The king's square. (A board always has a king; without one this would be the castle.)
    pub fn king(&self) -> Square {
        squares(self.pieces(Piece::King)).next().unwrap_or(CASTLE)
    }

    /// The player to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The player whose last move ended the game by an escape or the capture of the king.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// The keys of the position and its images.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The image of the position.
    pub fn image(&self, symmetry: Symmetry) -> Self {
        let mut image = Self::empty(self.side);
        image.winner = self.winner;
        for piece in [Piece::Attacker, Piece::Defender, Piece::King] {
            squares(self.pieces(piece)).for_each(|square| image.put(piece, symmetry.image(square)));
        }
        image
    }

    /// Makes a legal move.
    pub fn make(&mut self, played: Move) -> Undo {
        if let Some(piece) = self.piece_on(played.from) {
            self.toggle(piece, played.from.bit() | played.to.bit());
        }
        let captured = self.captured_from(played.to);
        self.toggle(self.enemy_soldier(), captured);
        self.winner = self.won_by_arriving_on(played.to).then_some(self.side);
        self.switch_side();
        Undo { captured }
    }

    /// Takes back the last move: the same exclusive ors in the opposite order.
    pub fn unmake(&mut self, played: Move, undo: Undo) {
        self.switch_side();
        self.winner = None;
        self.toggle(self.enemy_soldier(), undo.captured);
        if let Some(piece) = self.piece_on(played.to) {
            self.toggle(piece, played.from.bit() | played.to.bit());
        }
    }

    /// Whether the move captures a soldier.
    pub fn captures(&self, candidate: Move) -> bool {
        // The square that the piece leaves cannot be an anvil: it is on the line of the move, behind the piece.
        self.captured_from(candidate.to) != 0
    }

    // ANCHOR: captures
    /// The enemy soldiers that a piece of the side to move captures by arriving on a square.
    fn captured_from(&self, to: Square) -> Set {
        let enemies = self.pieces[self.enemy_soldier() as usize];
        let hostile = self.hostile_to_enemy();
        let mut captured = 0;
        for pattern in PATTERNS[to.index()] {
            if pattern.victim & enemies != 0
                && (pattern.anvil & hostile != 0 || self.pinned_to_king(pattern.victim, pattern.anvil))
            {
                captured |= pattern.victim;
            }
        }
        captured
    }
    // ANCHOR_END: captures

    /// The squares against which the side to move captures.
    fn hostile_to_enemy(&self) -> Set {
        let castle = match self.side {
            Side::White => CASTLE.bit(),
            Side::Black => CASTLE.bit() & !self.pieces(Piece::King),
        };
        self.pieces_of(self.side) | ALL_CAMPS | castle
    }

    /// Rule 6: Black captures the last soldier beside a king on the castle.
    fn pinned_to_king(&self, victim: Set, anvil: Set) -> bool {
        self.side == Side::Black
            && anvil & CASTLE.bit() & self.pieces(Piece::King) != 0
            && BESIDE_CASTLE & !victim & !self.pieces(Piece::Attacker) == 0
    }

    fn won_by_arriving_on(&self, to: Square) -> bool {
        let king = self.pieces(Piece::King);
        if self.side == Side::White {
            return king & ESCAPES != 0;
        }
        let around = NEIGHBOURS[self.king().index()];
        let attackers = self.pieces(Piece::Attacker);
        if king & (CASTLE.bit() | BESIDE_CASTLE) != 0 {
            return around & to.bit() != 0 && around & !CASTLE.bit() & !attackers == 0;
        }
        PATTERNS[to.index()]
            .iter()
            .any(|pattern| pattern.victim & king != 0 && pattern.anvil & (attackers | ALL_CAMPS) != 0)
    }

    fn enemy_soldier(&self) -> Piece {
        match self.side {
            Side::White => Piece::Attacker,
            Side::Black => Piece::Defender,
        }
    }

    fn toggle(&mut self, piece: Piece, set: Set) {
        self.pieces[piece as usize] ^= set;
        squares(set).for_each(|square| self.keys.toggle_piece(piece as usize, square));
    }

    fn switch_side(&mut self) {
        self.side = self.side.opponent();
        self.keys.toggle_side();
    }
}
