//! Squares, moves and positions as text.
//!
//! A position is written like a FEN of chess: rows 1 to 9 separated by `/`, `k` the king, `w` and `b` soldiers, digits
//! for empty squares, then the side to move: [`START`].

use std::{fmt, str::FromStr};

use crate::{
    board::{Board, Move, Piece, Side},
    geometry::{ALL_CAMPS, CASTLE, ESCAPES, SIZE, Square},
};

/// The initial position.
pub const START: &str = "3bbb3/4b4/4w4/b3w3b/bbwwkwwbb/b3w3b/4w4/4b4/3bbb3 w";

/// Why a text is no square, move or position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError(String);

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotationError {}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column() as u8), self.row() + 1)
    }
}

impl FromStr for Square {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text.as_bytes() {
            [column @ b'a'..=b'i', row @ b'1'..=b'9'] => {
                Ok(Self::new(usize::from(row - b'1'), usize::from(column - b'a')))
            }
            _ => Err(NotationError(format!("`{text}` is not a square: expected a1 to i9"))),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl FromStr for Move {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let parts = text.split_at_checked(2).filter(|_| text.len() == 4);
        let (from, to) = parts.ok_or_else(|| NotationError(format!("`{text}` is not a move: expected e.g. e4f4")))?;
        Ok(Self { from: from.parse()?, to: to.parse()? })
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::White { "White" } else { "Black" })
    }
}

impl FromStr for Board {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let invalid = |reason: &str| NotationError(format!("`{text}` is not a position: {reason}"));
        let (rows, side) = match text.rsplit_once(' ') {
            Some((rows, "w")) => (rows, Side::White),
            Some((rows, "b")) => (rows, Side::Black),
            _ => return Err(invalid("expected nine rows, a space, and w or b")),
        };
        let mut board = Self::empty(side);
        let mut count = 0;
        for (row, line) in rows.split('/').enumerate() {
            let mut column = 0;
            for letter in line.chars() {
                let piece = match letter {
                    'k' => Piece::King,
                    'w' => Piece::Defender,
                    'b' => Piece::Attacker,
                    '1'..='9' => {
                        column += letter as usize - '0' as usize;
                        continue;
                    }
                    _ => return Err(invalid("expected k, w, b or a digit in each row")),
                };
                if row >= SIZE || column >= SIZE {
                    return Err(invalid("expected nine rows of nine squares"));
                }
                board.put(piece, Square::new(row, column));
                column += 1;
            }
            if column != SIZE {
                return Err(invalid("expected nine rows of nine squares"));
            }
            count += 1;
        }
        if count != SIZE {
            return Err(invalid("expected nine rows of nine squares"));
        }
        check(&board).map_err(invalid)?;
        Ok(board)
    }
}

fn check(board: &Board) -> Result<(), &'static str> {
    let white = board.pieces_of(Side::White);
    if board.pieces(Piece::King).count_ones() != 1 {
        return Err("expected one king");
    }
    if board.pieces(Piece::Defender).count_ones() > 8 || board.pieces(Piece::Attacker).count_ones() > 16 {
        return Err("expected at most 8 white and 16 black soldiers");
    }
    if white & ALL_CAMPS != 0 || (board.occupied() ^ board.pieces(Piece::King)) & CASTLE.bit() != 0 {
        return Err("expected only black soldiers on camps and only the king on the castle");
    }
    if board.pieces(Piece::King) & ESCAPES != 0 {
        return Err("expected a king that has not reached the edge");
    }
    Ok(())
}

impl fmt::Display for Board {
    /// A diagram: `+` the empty castle, `:` an empty camp, `.` another empty square.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..SIZE {
            write!(f, "{} ", row + 1)?;
            for column in 0..SIZE {
                let square = Square::new(row, column);
                let letter = match self.piece_on(square) {
                    Some(Piece::King) => 'k',
                    Some(Piece::Defender) => 'w',
                    Some(Piece::Attacker) => 'b',
                    None if square == CASTLE => '+',
                    None if ALL_CAMPS & square.bit() != 0 => ':',
                    None => '.',
                };
                write!(f, " {letter}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "   a b c d e f g h i   {} to move", self.side())
    }
}

impl Default for Board {
    /// The initial position.
    fn default() -> Self {
        let mut board = Self::empty(Side::White);
        for square in Square::all() {
            if ALL_CAMPS & square.bit() != 0 {
                board.put(Piece::Attacker, square);
            } else if square == CASTLE {
                board.put(Piece::King, square);
            } else {
                let distance = square.row().abs_diff(4) + square.column().abs_diff(4);
                if distance <= 2 && (square.row() == 4 || square.column() == 4) {
                    board.put(Piece::Defender, square);
                }
            }
        }
        board
    }
}
