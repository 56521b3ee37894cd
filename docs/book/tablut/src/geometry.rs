//! Squares, sets of squares as bits of a `u128`, and the tables of lines, neighbours and capture patterns.

/// Rows and columns of the board.
pub const SIZE: usize = 9;
/// Squares of the board.
pub const SQUARES: usize = SIZE * SIZE;

/// A set of squares: bit `9 * row + column`.
pub type Set = u128;

/// A square: `9 * row + column`, a1 = 0, b1 = 1, i9 = 80.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The square in this row and column, each in `0..9`.
    ///
    /// # Panics
    /// Outside the board.
    pub const fn new(row: usize, column: usize) -> Self {
        assert!(row < SIZE && column < SIZE);
        Self((row * SIZE + column) as u8)
    }

    /// All squares, from a1 to i9.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SQUARES as u8).map(Self)
    }

    /// `9 * row + column`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, from 0.
    pub const fn row(self) -> usize {
        self.index() / SIZE
    }

    /// The column, from 0.
    pub const fn column(self) -> usize {
        self.index() % SIZE
    }

    /// The set of this square alone.
    pub const fn bit(self) -> Set {
        1 << self.0
    }
}

/// The squares of a set, from the lowest.
pub fn squares(mut set: Set) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| Square(set.trailing_zeros() as u8))?;
        set &= set - 1;
        Some(lowest)
    })
}

/// Where the king starts.
pub const CASTLE: Square = Square::new(4, 4);
/// The four camps.
pub const CAMPS: [Set; 4] = [
    Square::new(0, 3).bit() | Square::new(0, 4).bit() | Square::new(0, 5).bit() | Square::new(1, 4).bit(),
    Square::new(8, 3).bit() | Square::new(8, 4).bit() | Square::new(8, 5).bit() | Square::new(7, 4).bit(),
    Square::new(3, 0).bit() | Square::new(4, 0).bit() | Square::new(5, 0).bit() | Square::new(4, 1).bit(),
    Square::new(3, 8).bit() | Square::new(4, 8).bit() | Square::new(5, 8).bit() | Square::new(4, 7).bit(),
];
/// All squares of camps.
pub const ALL_CAMPS: Set = CAMPS[0] | CAMPS[1] | CAMPS[2] | CAMPS[3];
/// The squares on which the king wins: the edge without the camps.
pub const ESCAPES: Set = edge() & !ALL_CAMPS;

/// The squares around the castle.
pub const BESIDE_CASTLE: Set = NEIGHBOURS[CASTLE.index()];

/// Up to four squares that share a side with each square.
pub const NEIGHBOURS: [Set; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 4 {
            table[square] |= at_distance(square, direction, 1);
            direction += 1;
        }
        square += 1;
    }
    table
};

/// A capture in one direction: a piece that arrives captures on `victim` if `anvil` is hostile to it.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// The next square.
    pub victim: Set,
    /// The square after it; empty beyond the edge, and then nothing can be captured.
    pub anvil: Set,
}

/// The patterns of a piece that arrives on each square, one for each direction.
pub static PATTERNS: [[Pattern; 4]; SQUARES] = {
    let mut table = [[Pattern { victim: 0, anvil: 0 }; 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 4 {
            table[square][direction] =
                Pattern { victim: at_distance(square, direction, 1), anvil: at_distance(square, direction, 2) };
            direction += 1;
        }
        square += 1;
    }
    table
};

/// The squares from each square to the edge: down, right, up, left (towards higher indices first).
static LINES: [[Set; SQUARES]; 4] = {
    let mut table = [[0; SQUARES]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut square = 0;
        while square < SQUARES {
            let mut distance = 1;
            while distance < SIZE {
                table[direction][square] |= at_distance(square, direction, distance);
                distance += 1;
            }
            square += 1;
        }
        direction += 1;
    }
    table
};

/// The squares that a piece on `from` reaches, if it cannot enter `blockers`.
pub fn slides(from: Square, blockers: Set) -> Set {
    let mut reached = 0;
    for (direction, lines) in LINES.iter().enumerate() {
        let line = lines[from.index()];
        let blocked = line & blockers;
        reached |= line;
        if blocked != 0 {
            let first = if direction < 2 { blocked.trailing_zeros() } else { blocked.ilog2() };
            reached ^= lines[first as usize] | 1 << first;
        }
    }
    reached
}

/// The square this far away (down, right, up, left), or no square.
const fn at_distance(square: usize, direction: usize, distance: usize) -> Set {
    let (row, column) = (square / SIZE, square % SIZE);
    match direction {
        0 if row + distance < SIZE => 1 << (square + SIZE * distance),
        1 if column + distance < SIZE => 1 << (square + distance),
        2 if row >= distance => 1 << (square - SIZE * distance),
        3 if column >= distance => 1 << (square - distance),
        _ => 0,
    }
}

const fn edge() -> Set {
    let mut set = 0;
    let mut place = 0;
    while place < SIZE {
        set |= Square::new(0, place).bit() | Square::new(8, place).bit();
        set |= Square::new(place, 0).bit() | Square::new(place, 8).bit();
        place += 1;
    }
    set
}
