//! Positions for tests of the model.

use alfiere_chess::random::mix;
use alfiere_chess::types::{Color, Piece, Square};
use alfiere_data::{Label, Row, RowResult};

/// A position of these pieces, with one king a side; `castles` sets all castling rights, wherever the rooks are.
///
/// # Panics
/// If there are more than 32 pieces, or not one king a side.
pub fn row(side: Color, pieces: &[(Piece, Square)], castles: bool) -> Row {
    let mut pieces = pieces.to_vec();
    pieces.sort_by_key(|&(_, square)| square.index());
    let mut bytes = [0; 32];
    let occupied = pieces.iter().fold(0, |all, (_, square)| all | 1u64 << square.index());
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    for (place, &(piece, _)) in pieces.iter().enumerate() {
        bytes[8 + place / 2] |= (piece as u8) << (place % 2 * 4);
    }
    bytes[26] = u8::from(side == Color::Black) | if castles { 0x1E } else { 0 };
    Row::from_bytes(&bytes).expect("at most 32 pieces, one king a side")
}

/// Random positions with 2 to 32 pieces; the first has 32.
pub fn samples(count: usize, seed: u64) -> Vec<Row> {
    let mut state = seed;
    let mut next = |below: usize| {
        state = mix(state);
        (state >> 33) as usize % below
    };
    let others: Vec<Piece> = Piece::ALL.into_iter().filter(|piece| !KINGS.contains(piece)).collect();
    (0..count)
        .map(|index| {
            let pieces = if index == 0 { 32 } else { 2 + next(31) };
            let mut squares: Vec<Square> = Square::ALL.to_vec();
            let pieces: Vec<(Piece, Square)> = (0..pieces)
                .map(|place| {
                    let piece = KINGS.get(place).copied().unwrap_or_else(|| others[next(others.len())]);
                    (piece, squares.swap_remove(next(squares.len())))
                })
                .collect();
            let side = if next(2) == 0 { Color::White } else { Color::Black };
            let label = Label::centipawns(next(1600) as i64 - 800);
            let result = [RowResult::Unknown, RowResult::BlackWins, RowResult::Draw, RowResult::WhiteWins][next(4)];
            row(side, &pieces, next(2) == 0).with_label(label).with_result(result)
        })
        .collect()
}

const KINGS: [Piece; 2] = [Piece::ALL[5], Piece::ALL[11]];
