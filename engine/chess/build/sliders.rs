// Generates Rust source for the attack sets of bishops and rooks for every blocker arrangement.

use std::fmt::Write;

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};

const BISHOP_STEPS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ROOK_STEPS: [(i32, i32); 4] = [(1, 0), (0, -1), (-1, 0), (0, 1)];

/// How an arrangement of blockers is mapped to a table index.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Indexing {
    /// The BMI2 instruction `PEXT`.
    Pext,
    /// Magic multiplication.
    Magic,
}

/// Returns the source of `SLIDER_ATTACKS`, `BISHOPS`, `ROOKS`, `BISHOP_RAYS` and `ROOK_RAYS`.
pub(crate) fn source(indexing: Indexing) -> String {
    let mut table = Vec::new();
    let bishops = sliders("BISHOPS", BISHOP_STEPS, &BISHOP_MAGICS, indexing, &mut table);
    let rooks = sliders("ROOKS", ROOK_STEPS, &ROOK_MAGICS, indexing, &mut table);
    format!(
        "{bishops}{rooks}{}{}{}",
        numbers("BISHOP_RAYS", &(0..64).map(|square| walk(square, 0, BISHOP_STEPS)).collect::<Vec<_>>()),
        numbers("ROOK_RAYS", &(0..64).map(|square| walk(square, 0, ROOK_STEPS)).collect::<Vec<_>>()),
        numbers("SLIDER_ATTACKS", &table)
    )
}

fn sliders(name: &str, steps: [(i32, i32); 4], magics: &[u64; 64], indexing: Indexing, table: &mut Vec<u64>) -> String {
    let mut source = format!("static {name}: [Slider; 64] = [\n");
    for square in 0..64 {
        let mask = mask(square, steps);
        let (magic, shift, offset) = (magics[square as usize], 64 - mask.count_ones(), table.len());
        table.resize(offset + (1 << mask.count_ones()), 0);
        for number in 0..1 << mask.count_ones() {
            let blockers = deposit(number, mask);
            let index = match indexing {
                Indexing::Pext => number as usize,
                Indexing::Magic => (blockers.wrapping_mul(magic) >> shift) as usize,
            };
            let attacks = walk(square, blockers, steps);
            let entry = &mut table[offset + index];
            assert!(*entry == 0 || *entry == attacks, "{name}: the magic number of square {square} causes a collision");
            *entry = attacks;
        }
        writeln!(source, "Slider {{ mask: {mask}, magic: {magic}, shift: {shift}, offset: {offset} }},")
            .expect("writing to a string succeeds");
    }
    source + "];\n"
}

/// The relevant occupancy: the last square of a line is attacked whether occupied or not, so it is left out.
fn mask(square: i32, steps: [(i32, i32); 4]) -> u64 {
    steps.into_iter().fold(0, |mask, (files, ranks)| {
        let lines = walk(square, 0, [(files, ranks); 4]);
        let last = match (files, ranks) {
            (0, 1) => 0xFF << 56,
            (0, -1) => 0xFF,
            (1, 0) => 0x8080_8080_8080_8080,
            (-1, 0) => 0x0101_0101_0101_0101,
            _ => 0xFF81_8181_8181_81FF,
        };
        mask | lines & !last
    })
}

/// Computes the attack set square by square, up to the first blocker on each line.
fn walk(square: i32, occupied: u64, steps: [(i32, i32); 4]) -> u64 {
    let mut attacks = 0;
    for (files, ranks) in steps {
        let (mut file, mut rank) = (square % 8 + files, square / 8 + ranks);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let target = 1 << (rank * 8 + file);
            attacks |= target;
            if occupied & target != 0 {
                break;
            }
            file += files;
            rank += ranks;
        }
    }
    attacks
}

/// Spreads the low bits of `number` over the mask: the inverse of `PEXT`.
fn deposit(mut number: u64, mut mask: u64) -> u64 {
    let mut bits = 0;
    while mask != 0 {
        if number & 1 != 0 {
            bits |= mask & mask.wrapping_neg();
        }
        number >>= 1;
        mask &= mask - 1;
    }
    bits
}

fn numbers(name: &str, values: &[u64]) -> String {
    let mut source = format!("static {name}: [u64; {}] = [\n", values.len());
    for line in values.chunks(8) {
        for value in line {
            write!(source, "{value:#x},").expect("writing to a string succeeds");
        }
        source.push('\n');
    }
    source + "];\n"
}
