//! The eight symmetries of the board, and the keys of a position and its seven images.

use crate::geometry::{SIZE, SQUARES, Square};
use alfiere_chess::random::Random;

/// The number of symmetries of a square.
pub const SYMMETRIES: usize = 8;

/// A symmetry of the board: first the diagonal (bit 2), then the columns (bit 0) and the rows (bit 1) reversed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Every square stays where it is.
    pub const IDENTITY: Self = Self(0);

    /// All eight.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SYMMETRIES as u8).map(Self)
    }

    /// The symmetry that takes this one back.
    pub fn inverse(self) -> Self {
        match self.0 {
            // A quarter turn: the opposite quarter turn has the other reversal.
            0b101 => Self(0b110),
            0b110 => Self(0b101),
            own_inverse => Self(own_inverse),
        }
    }

    /// Where a square goes.
    pub const fn image(self, square: Square) -> Square {
        let (mut row, mut column) = (square.row(), square.column());
        if self.0 & 4 != 0 {
            (row, column) = (column, row);
        }
        if self.0 & 1 != 0 {
            column = SIZE - 1 - column;
        }
        if self.0 & 2 != 0 {
            row = SIZE - 1 - row;
        }
        Square::new(row, column)
    }
}

/// The keys of a position and its images: entry `s` belongs to the image under symmetry `s`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys([u64; SYMMETRIES]);

impl Keys {
    /// Adds or removes a piece of this kind (0 to 2).
    pub fn toggle_piece(&mut self, kind: usize, square: Square) {
        for (key, change) in self.0.iter_mut().zip(PIECE_KEYS[kind][square.index()]) {
            *key ^= change;
        }
    }

    /// Changes the side to move, which no symmetry affects.
    pub fn toggle_side(&mut self) {
        for key in &mut self.0 {
            *key ^= SIDE_KEY;
        }
    }

    /// The key of the position itself.
    pub fn own(&self) -> u64 {
        self.0[0]
    }

    // ANCHOR: keys
    /// The smallest of the keys, equal for all images, and the symmetry that leads to the image it belongs to.
    pub fn canonical(&self) -> (u64, Symmetry) {
        let mut smallest = 0;
        for (symmetry, key) in self.0.iter().enumerate() {
            if *key < self.0[smallest] {
                smallest = symmetry;
            }
        }
        (self.0[smallest], Symmetry(smallest as u8))
    }
    // ANCHOR_END: keys
}

const SIDE_KEY: u64 = Random::new(1).next_number();

/// By kind and square: what the piece adds to the key of each image.
static PIECE_KEYS: [[[u64; SYMMETRIES]; SQUARES]; 3] = {
    let mut random = Random::new(2);
    let mut keys = [[0; SQUARES]; 3];
    let mut kind = 0;
    while kind < 3 {
        let mut square = 0;
        while square < SQUARES {
            keys[kind][square] = random.next_number();
            square += 1;
        }
        kind += 1;
    }
    let mut images = [[[0; SYMMETRIES]; SQUARES]; 3];
    kind = 0;
    while kind < 3 {
        let mut square = 0;
        while square < SQUARES {
            let mut symmetry = 0;
            while symmetry < SYMMETRIES {
                let image = Symmetry(symmetry as u8).image(Square::new(square / SIZE, square % SIZE));
                images[kind][square][symmetry] = keys[kind][image.index()];
                symmetry += 1;
            }
            square += 1;
        }
        kind += 1;
    }
    images
};
