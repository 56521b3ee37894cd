//! One entry of the transposition table, in 64 bits.

use alfiere_chess::types::Move;

use crate::search::score::{Depth, Score};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// Nothing: only the static evaluation is known.
    Unknown,
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// The true score is this.
    Exact,
}

impl Bound {
    const ALL: [Self; 4] = [Self::Unknown, Self::Upper, Self::Lower, Self::Exact];

    /// Whether the true score is at least the stored one.
    pub(crate) const fn is_lower(self) -> bool {
        matches!(self, Self::Lower | Self::Exact)
    }

    /// Whether the true score is at most the stored one.
    pub(crate) const fn is_upper(self) -> bool {
        matches!(self, Self::Upper | Self::Exact)
    }
}

// ANCHOR: entry
/// From the low end: move 16 bits, score 16, static evaluation 16, depth 8, bound 2, `tt_pv` 1, age 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    mv: Option<Move>,
    score: i16,
    static_eval: i16,
    depth: u8,
    bound: Bound,
    /// Whether the position has been on a principal variation: its moves are reduced less.
    tt_pv: bool,
    age: u8,
}
// ANCHOR_END: entry

const NO_EVALUATION: i16 = i16::MIN;

impl Entry {
    /// Ages count modulo 32.
    pub(crate) const AGE_MASK: u8 = 31;

    /// What a node at `ply` found out.
    pub(crate) fn new(
        depth: Depth,
        bound: Bound,
        score: Score,
        ply: usize,
        mv: Option<Move>,
        static_eval: Option<Score>,
    ) -> Self {
        Self {
            mv,
            score: score.to_table(ply),
            static_eval: static_eval.map_or(NO_EVALUATION, |eval| eval.value() as i16),
            depth: depth.get().clamp(0, 255) as u8,
            bound,
            tt_pv: false,
            age: 0,
        }
    }

    /// A static evaluation and nothing else.
    pub(crate) fn evaluation(static_eval: Score, tt_pv: bool) -> Self {
        Self::new(Depth::ZERO, Bound::Unknown, Score::DRAW, 0, None, Some(static_eval)).with_tt_pv(tt_pv)
    }

    pub(crate) fn with_tt_pv(self, tt_pv: bool) -> Self {
        Self { tt_pv, ..self }
    }

    pub(crate) fn with_age(self, age: u8) -> Self {
        Self { age: age & Self::AGE_MASK, ..self }
    }

    pub(crate) fn or_move(self, mv: Option<Move>) -> Self {
        Self { mv: self.mv.or(mv), ..self }
    }

    pub(crate) const fn mv(self) -> Option<Move> {
        self.mv
    }

    /// The score at a node `ply` plies from the root.
    pub(crate) fn score(self, ply: usize) -> Score {
        Score::from_table(self.score, ply)
    }

    /// The score at such a node, if its bound says anything.
    pub(crate) fn known_score(self, ply: usize) -> Option<Score> {
        (self.bound != Bound::Unknown).then(|| self.score(ply))
    }

    /// What is left of it at this half-move clock: a win that takes more plies than the fifty-move rule leaves may be a draw by
    /// now, so nothing is known of the score.
    pub(crate) fn within_fifty_moves(self, clock: u8) -> Self {
        match self.score(0).plies_to_win() {
            Some(plies) if plies + usize::from(clock) > 100 => Self { bound: Bound::Unknown, ..self },
            _ => self,
        }
    }

    pub(crate) fn static_eval(self) -> Option<Score> {
        (self.static_eval != NO_EVALUATION).then(|| Score::evaluation(i32::from(self.static_eval)))
    }

    pub(crate) fn depth(self) -> Depth {
        Depth::plies(i32::from(self.depth))
    }

    pub(crate) const fn bound(self) -> Bound {
        self.bound
    }

    pub(crate) const fn tt_pv(self) -> bool {
        self.tt_pv
    }

    pub(crate) const fn age(self) -> u8 {
        self.age
    }

    /// Whether it should take the place of an older entry of the same position: unless that is much deeper and as fresh.
    pub(crate) fn supersedes(self, old: Self) -> bool {
        self.bound == Bound::Exact || self.age != old.age || i32::from(self.depth) + 4 > i32::from(old.depth)
    }

    pub(crate) fn pack(self) -> u64 {
        let flags = self.bound as u8 | u8::from(self.tt_pv) << 2 | self.age << 3;
        u64::from(self.mv.map_or(0, Move::to_bits))
            | u64::from(self.score as u16) << 16
            | u64::from(self.static_eval as u16) << 32
            | u64::from(self.depth) << 48
            | u64::from(flags) << 56
    }

    /// `None` for the zero that an empty slot holds.
    pub(crate) fn unpack(data: u64) -> Option<Self> {
        let flags = (data >> 56) as u8;
        (data != 0).then(|| Self {
            mv: Move::from_bits(data as u16),
            score: (data >> 16) as i16,
            static_eval: (data >> 32) as i16,
            depth: (data >> 48) as u8,
            bound: Bound::ALL[usize::from(flags & 3)],
            tt_pv: flags & 4 != 0,
            age: flags >> 3,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_beyond_the_fifty_move_rule_is_not_proven() {
        for (win, plies) in [(Score::mate_at(19), 19), (Score::tablebase_win_at(7), 7)] {
            for score in [win, -win] {
                let entry = Entry::new(Depth::plies(9), Bound::Exact, score, 0, None, None);
                assert_eq!(entry.within_fifty_moves(100 - plies), entry);
                assert_eq!(entry.within_fifty_moves(101 - plies).bound(), Bound::Unknown);
            }
        }
    }

    #[test]
    fn packing_loses_nothing() {
        for bits in [1_u64, 0x8123_4567_89AB_CDEF, u64::MAX, 0x0000_8000_0000_0000] {
            let entry = Entry::unpack(bits).expect("not empty");
            assert_eq!(entry.pack(), bits);
        }
        assert!(Entry::unpack(0).is_none());
    }
}
