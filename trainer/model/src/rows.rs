//! Implements [`Sample`] for packed rows: the only link between `model` and `data`.

use alfiere_chess::types::{CastlingRights, Color, Piece, Square};
use alfiere_data::{Label, Row};

use super::batch::Sample;
use super::objective::{LabelValue, Score};

impl Sample for Row {
    fn side_to_move(&self) -> Color {
        Row::side_to_move(self)
    }

    fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        Row::pieces(self)
    }

    fn piece_count(&self) -> u32 {
        Row::piece_count(self)
    }

    fn can_castle(&self) -> bool {
        self.castling_rights() != CastlingRights::NONE
    }

    fn label_value(&self) -> LabelValue {
        let score = match self.label() {
            Label::Centipawns(value) => Score::Centipawns(f32::from(value)),
            Label::Mate { winner, .. } => Score::Mate(winner),
        };
        LabelValue { score, result: self.result().points() }
    }
}
