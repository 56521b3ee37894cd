//! Makes a network that counts material and likes pieces in the centre, nothing learnt: to have something to play with
//! before a network is trained, and to measure trained ones against.
//!
//! `cargo run --release -p alfiere --example material_net -- nets/default.nnue`

use std::error::Error;

use alfiere::network::{FloatNetwork, Provenance, feature_index, quantise};
use alfiere::types::{Color, Piece, PieceKind, Square};

/// Pieces of a kind that a neuron can count before it is full: one is exactly 25 units of its accumulator.
const FULL: f32 = 10.2;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "nets/default.nnue".to_owned());
    let mut network = FloatNetwork::zeros("dual [16] crelu x1".parse()?)?;
    for kind in PieceKind::ALL {
        let count = kind.index();
        let place = 6 + count;
        for square in Square::ALL {
            let input = feature_index(Color::White, Piece::new(Color::White, kind), square);
            network.layers[0].weights[input * 16 + count] = 1.0 / FULL;
            network.layers[0].weights[input * 16 + place] = place_value(kind, square) / FULL;
        }
        for (half, sign) in [(0, 1.0), (16, -1.0)] {
            network.layers[1].weights[half + count] = sign * FULL * piece_value(kind);
            network.layers[1].weights[half + place] = sign * FULL * place_weight(kind);
        }
    }
    // A tempo.
    network.layers[1].bias[0] = 0.1;
    let provenance = Provenance::note("made by hand from piece values and centre squares; no training, a placeholder");
    quantise(&network, 100.0, provenance)?.save(&path)?;
    Ok(())
}

/// In pawns.
fn piece_value(kind: PieceKind) -> f32 {
    match kind {
        PieceKind::Pawn => 1.0,
        PieceKind::Knight => 3.2,
        PieceKind::Bishop => 3.3,
        PieceKind::Rook => 5.0,
        PieceKind::Queen => 9.5,
        PieceKind::King => 0.0,
    }
}

/// What the best square for a kind is worth more than the worst, in pawns.
fn place_weight(kind: PieceKind) -> f32 {
    match kind {
        PieceKind::Pawn => 0.6,
        PieceKind::Knight | PieceKind::King => 0.5,
        PieceKind::Bishop => 0.3,
        PieceKind::Rook => 0.2,
        PieceKind::Queen => 0.15,
    }
}

/// How good a square is, 0 to 1, as White sees it.
fn place_value(kind: PieceKind, square: Square) -> f32 {
    let from_edge = |line: usize| line.min(7 - line) as f32 / 3.0;
    let centre = from_edge(square.file().index()).midpoint(from_edge(square.rank().index()));
    let rank = square.rank().index() as f32;
    match kind {
        PieceKind::Pawn => 0.7 * (rank - 1.0).max(0.0) / 5.0 + 0.3 * centre,
        PieceKind::King => 0.7 * (1.0 - rank / 7.0) + 0.3 * (1.0 - from_edge(square.file().index())),
        PieceKind::Rook => f32::from(u8::from(square.rank().index() == 6)),
        _ => centre,
    }
}
