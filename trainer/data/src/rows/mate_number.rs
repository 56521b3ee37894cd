//! Labels as a single number, for formats without mate scores.
//!
//! A mate is a number beyond all centipawn scores. For most trainers only its size matters; [`in_moves`] encodes the
//! distance in moves. Stockfish's formats use plies, for the side to move: [`in_plies`].

use alfiere_chess::types::Color;

use super::label::{Label, MAX_CENTIPAWNS};

/// A mate is written as this number minus its distance.
const MATE: i32 = 32_000;
/// Maximum distance in moves that is distinguishable from centipawns.
const MAX_MOVES: i32 = MATE - MAX_CENTIPAWNS as i32 - 1;
/// Maximum distance in plies that Stockfish reads as a mate.
const MAX_PLIES: i32 = 246;

/// A label as a number from White's point of view; a mate in `d` moves is `32000 - d`, negative for Black.
pub(crate) fn in_moves(label: Label) -> i32 {
    match label {
        Label::Centipawns(value) => i32::from(value),
        Label::Mate { winner, distance } => {
            let value = MATE - i32::from(distance).min(MAX_MOVES);
            if winner == Color::White { value } else { -value }
        }
    }
}

/// The inverse of [`in_moves`]; numbers beyond all mates are saturated centipawns.
pub(crate) fn from_moves(value: i32) -> Label {
    let distance = MATE - value.saturating_abs();
    let winner = if value > 0 { Color::White } else { Color::Black };
    if (0..=MAX_MOVES).contains(&distance) {
        return Label::Mate { winner, distance: distance as u16 };
    }
    Label::centipawns(i64::from(value))
}

/// A label as a number for the side to move, `us`; a mate in `d` plies is `32000 - d`.
pub(crate) fn in_plies(label: Label, us: Color) -> i32 {
    match label {
        Label::Centipawns(value) if us == Color::White => i32::from(value),
        Label::Centipawns(value) => -i32::from(value),
        Label::Mate { winner, distance } => {
            let moves = i32::from(distance).min(MAX_PLIES / 2);
            if winner == us { MATE - (2 * moves - 1).max(1) } else { 2 * moves - MATE }
        }
    }
}

/// The inverse of [`in_plies`]; wins without a known mate are saturated centipawns.
pub(crate) fn from_plies(value: i32, us: Color) -> Label {
    let plies = MATE - value.saturating_abs();
    if (0..=MAX_PLIES).contains(&plies) {
        let winner = if value > 0 { us } else { !us };
        return Label::Mate { winner, distance: ((plies + 1) / 2) as u16 };
    }
    Label::centipawns_for(us, i64::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_comes_back() {
        for bits in i16::MIN..=i16::MAX {
            let label = Label::from_bits(bits);
            let cut = |longest: u16| match label {
                Label::Mate { winner, distance } => Label::Mate { winner, distance: distance.min(longest) },
                Label::Centipawns(_) => label,
            };
            assert_eq!(from_moves(in_moves(label)), cut(1_999));
            for us in Color::ALL {
                let expected = match cut(123) {
                    // The side to move cannot have mated already.
                    Label::Mate { winner, distance: 0 } if winner == us => Label::Mate { winner, distance: 1 },
                    label => label,
                };
                assert_eq!(from_plies(in_plies(label, us), us), expected, "{us:?}");
            }
        }
    }

    #[test]
    fn numbers_of_other_programs_are_understood() {
        let mate = |winner, distance| Label::Mate { winner, distance };
        assert_eq!(from_moves(31_997), mate(Color::White, 3));
        assert_eq!(from_moves(-32_000), mate(Color::Black, 0));
        assert_eq!(from_moves(32_767), Label::Centipawns(30_000));
        assert_eq!(from_plies(31_999, Color::Black), mate(Color::Black, 1));
        assert_eq!(from_plies(-31_998, Color::Black), mate(Color::White, 1));
        assert_eq!(from_plies(31_500, Color::Black), Label::Centipawns(-30_000));
        assert_eq!(from_plies(-120, Color::Black), Label::Centipawns(120));
    }
}
