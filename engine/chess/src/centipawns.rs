//! The unit in which agreement with labels is measured: clipped centipawns, `clamp(centipawns / 1000, -1, 1)`.

/// Centipawns at which clipped centipawns reach ±1.
pub const CLIP_CENTIPAWNS: f64 = 1000.0;

/// Converts centipawns to clipped centipawns.
pub fn clipped(centipawns: f64) -> f64 {
    (centipawns / CLIP_CENTIPAWNS).clamp(-1.0, 1.0)
}
