//! The terms of the evaluation, their weights and the file of these.
//!
//! A text file: `term NAME`, then `MIDDLEGAME,ENDGAME` in centipawns for each of its cases, separated by spaces or line ends;
//! `#` starts a comment. Every term appears once, in the order of [`Term::ALL`].

use std::sync::OnceLock;

use thiserror::Error;

use super::pair::Pair;

/// The weights: for each place, centipawns in the middlegame and in the endgame.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Weights(Box<[Pair; WEIGHT_COUNT]>);

/// What is wrong with a file of weights.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum WeightsError {
    #[error("line {line}: found term \"{found}\", expected \"{expected}\"")]
    Term { line: usize, found: String, expected: &'static str },
    #[error("line {line}: found \"{found}\", expected two numbers of centipawns such as 12,-5")]
    Pair { line: usize, found: String },
    #[error("term {term}: found {found} pairs, expected {expected}")]
    Count { term: &'static str, found: usize, expected: usize },
}

/// The largest weight: sums of many must stay within sixteen bits.
const MOST: i16 = 2500;

impl Weights {
    /// The weights inside the program, read once.
    ///
    /// # Panics
    /// If the program was compiled with a file that holds none. A test sees to that of the repository.
    pub(super) fn embedded() -> &'static Self {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| match Self::parse(include_str!(env!("ALFIERE_CLASSICAL"))) {
            Ok(weights) => weights,
            Err(error) => panic!("the weights compiled into this program: {error}"),
        })
    }

    /// The weight at a place, middlegame and endgame.
    pub(super) fn values(&self, place: usize) -> [i32; 2] {
        [self.0[place].middlegame(), self.0[place].endgame()]
    }

    #[inline]
    pub(super) fn pair(&self, place: usize) -> Pair {
        self.0[place]
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// If a term is missing, out of order or has not as many pairs as cases, or a pair cannot be read.
    pub(super) fn parse(text: &str) -> Result<Self, WeightsError> {
        let mut found: Vec<Vec<Pair>> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let number = number + 1;
            if let Some(name) = line.strip_prefix("term ") {
                let expected = Term::ALL.get(found.len()).map_or("the end", |term| term.label());
                if name != expected {
                    return Err(WeightsError::Term { line: number, found: name.to_owned(), expected });
                }
                found.push(Vec::new());
                continue;
            }
            for word in line.split_whitespace() {
                let wrong = || WeightsError::Pair { line: number, found: word.to_owned() };
                let pair = read_pair(word).ok_or_else(wrong)?;
                found.last_mut().ok_or_else(wrong)?.push(pair);
            }
        }
        let mut weights = Self(Box::new([Pair::default(); WEIGHT_COUNT]));
        for (index, term) in Term::ALL.into_iter().enumerate() {
            let pairs = found.get(index).map_or(&[][..], |pairs| &pairs[..]);
            if pairs.len() != term.size() {
                let (term, found, expected) = (term.label(), pairs.len(), term.size());
                return Err(WeightsError::Count { term, found, expected });
            }
            weights.0[term.range()].copy_from_slice(pairs);
        }
        Ok(weights)
    }
}

fn read_pair(word: &str) -> Option<Pair> {
    let (middlegame, endgame) = word.split_once(',')?;
    let number = |text: &str| text.parse::<i16>().ok().filter(|value| (-MOST..=MOST).contains(value));
    Some(Pair::new(number(middlegame)?, number(endgame)?))
}

macro_rules! terms {
    ($($(#[$meta:meta])* $name:ident = $label:literal, $size:expr;)*) => {
        /// A term: something that is counted for each side and has one weight or one for each case.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Term { $($(#[$meta])* $name,)* }

        impl Term {
            /// All of them, in the order of their weights.
            pub const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];

            /// Its name in files and tables.
            pub const fn label(self) -> &'static str {
                match self { $(Self::$name => $label,)* }
            }

            /// How many weights it has.
            pub const fn size(self) -> usize {
                SIZES[self as usize]
            }
        }

        const SIZES: [usize; Term::ALL.len()] = [$($size),*];
    };
}

terms! {
    /// By kind, pawn to queen.
    Material = "material", 5;
    /// By kind and square: files a to d only, the others are their mirror; ranks as the owner counts them.
    Placement = "placement", 6 * 32;
    /// Bishops on squares of both colours.
    BishopPair = "bishop-pair", 1;
    /// Knights, bishops, rooks and queens, each times (own pawns - 5); two rooks; queens times minor pieces against them.
    Imbalance = "imbalance", 6;
    /// By squares within reach that no pawn guards.
    KnightMobility = "knight-mobility", 9;
    /// Likewise.
    BishopMobility = "bishop-mobility", 14;
    /// Likewise.
    RookMobility = "rook-mobility", 15;
    /// Likewise.
    QueenMobility = "queen-mobility", 28;
    /// Shut in by its own king.
    TrappedRook = "trapped-rook", 1;
    /// On the edge of the sixth or seventh rank, behind a pawn that bars its way back.
    TrappedBishop = "trapped-bishop", 1;
    /// Own pawns on squares of a bishop's colour.
    BadBishop = "bad-bishop", 1;
    /// No pawn on its file.
    RookOpenFile = "rook-open-file", 1;
    /// No own pawn on its file.
    RookHalfOpenFile = "rook-half-open-file", 1;
    /// On the seventh rank with pawns to take there or the king cut off behind it.
    RookSeventh = "rook-seventh", 1;
    /// Behind an own passed pawn.
    RookBehindPassed = "rook-behind-passed", 1;
    /// An own pawn stands ahead on the file.
    Doubled = "doubled", 1;
    /// No own pawn on the neighbouring files; opposed, or open to attack.
    Isolated = "isolated", 2;
    /// Nothing can support it and it cannot step forward safely; opposed, or open to attack.
    Backward = "backward", 2;
    /// A neighbour on the same rank; by rank.
    Phalanx = "phalanx", 8;
    /// Guarded by a pawn; by rank.
    Supported = "supported", 8;
    /// No pawn can stop it; by rank.
    Passed = "passed", 8;
    /// A passed pawn that a pawn guards.
    PassedGuarded = "passed-guarded", 1;
    /// Beyond the middle, by the own king's steps to the square ahead.
    PassedOwnKing = "passed-own-king", 8;
    /// Likewise, by the other king's.
    PassedOtherKing = "passed-other-king", 8;
    /// A piece stands ahead; by rank.
    PassedBlocked = "passed-blocked", 8;
    /// Nothing stands on the way and nobody guards it; by rank.
    PassedFree = "passed-free", 8;
    /// The lone king comes too late.
    Unstoppable = "unstoppable", 1;
    /// The nearest own pawn before the king by rank, none at 0; on the files beside the king's, on its own.
    Shelter = "shelter", 2 * 8;
    /// The nearest enemy pawn that comes towards it, likewise.
    Storm = "storm", 2 * 8;
    /// It is stopped by an own pawn; by rank.
    StormBlocked = "storm-blocked", 8;
    /// By half the attack units: attackers' weights, squares beside the king, checks to come.
    KingAttack = "king-attack", KING_ATTACK_STEPS;
    /// Checks that cost nothing, by knight to queen.
    SafeCheck = "safe-check", 4;
    /// Nearness (7 - steps) of knights to queens to the other king.
    Tropism = "tropism", 4;
    /// Pieces attacked and not guarded.
    Hanging = "hanging", 1;
    /// Knights to queens attacked by a pawn.
    ThreatByPawn = "threat-by-pawn", 4;
    /// Weak pawns to queens attacked by a knight or bishop.
    ThreatByMinor = "threat-by-minor", 5;
    /// Weak pawns to queens attacked by a rook.
    ThreatByRook = "threat-by-rook", 5;
    /// Weak pieces attacked by the king.
    ThreatByKing = "threat-by-king", 1;
    /// Pieces that a safe step of a pawn would attack.
    ThreatByPush = "threat-by-push", 1;
    /// Knights guarded by a pawn where no pawn can attack them.
    KnightOutpost = "knight-outpost", 1;
    /// Bishops likewise.
    BishopOutpost = "bishop-outpost", 1;
    /// A knight can go to such a square.
    OutpostInReach = "outpost-in-reach", 1;
    /// A knight or bishop with an own pawn before it.
    MinorBehindPawn = "minor-behind-pawn", 1;
    /// Squares behind and among the own pawns in the middle that no pawn attacks.
    Space = "space", 1;
    /// The right to move.
    Tempo = "tempo", 1;
}

/// Steps of [`Term::KingAttack`].
pub(super) const KING_ATTACK_STEPS: usize = 32;

/// Weights of all terms together.
pub(super) const WEIGHT_COUNT: usize = {
    let last = Term::ALL.len() - 1;
    STARTS[last] + SIZES[last]
};

const STARTS: [usize; Term::ALL.len()] = {
    let mut starts = [0; Term::ALL.len()];
    let mut term = 1;
    while term < starts.len() {
        starts[term] = starts[term - 1] + SIZES[term - 1];
        term += 1;
    }
    starts
};

impl Term {
    /// The place of its first weight among all weights.
    pub const fn start(self) -> usize {
        STARTS[self as usize]
    }

    /// The places of its weights.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start()..self.start() + self.size()
    }

    /// The place of the weight of one of its cases.
    #[inline]
    pub(super) fn at(self, case: usize) -> usize {
        debug_assert!(case < self.size(), "{self:?} {case}");
        self.start() + case
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use alfiere_chess::board::PIECE_VALUES;

    use super::*;

    impl Weights {
        /// Material values only.
        fn material() -> Self {
            let mut weights = Self(Box::new([Pair::default(); WEIGHT_COUNT]));
            for (place, value) in Term::Material.range().zip(PIECE_VALUES) {
                weights.0[place] = Pair::new(value as i16, value as i16);
            }
            weights
        }

        /// The text of a file.
        fn to_text(&self) -> String {
            let mut text = String::new();
            for term in Term::ALL {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "term {}", term.label());
                for row in self.0[term.range()].chunks(if term == Term::Placement { 4 } else { 8 }) {
                    let pairs: Vec<String> =
                        row.iter().map(|pair| format!("{},{}", pair.middlegame(), pair.endgame())).collect();
                    let _ = writeln!(text, "  {}", pairs.join(" "));
                }
            }
            text
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        for weights in [Weights::embedded().clone(), Weights::material()] {
            let text = format!("# remark\n{}", weights.to_text());
            assert_eq!(Weights::parse(&text), Ok(weights));
        }
    }

    #[test]
    fn a_damaged_file_is_refused_with_the_place() {
        let text = Weights::embedded().to_text();
        let refused = |text: &str, part: &str| {
            let error = Weights::parse(text).expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
        };
        refused(&text.replace("term bishop-pair", "term pair"), "found term \"pair\", expected \"bishop-pair\"");
        refused(&text.replacen(',', ";", 1), "line 2: found");
        refused(&format!("{text} 3,4"), "term tempo: found 2 pairs, expected 1");
        refused(&format!("{text}term more\n"), "expected \"the end\"");
        refused(&format!("{text}9999,1"), "9999,1");
        refused("3,4", "line 1");
        refused("", "term material: found 0 pairs, expected 5");
    }
}
