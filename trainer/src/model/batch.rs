//! A batch of positions as the first layer takes it: lists of the inputs that are 1.
//!
//! Owns the layout and how it is filled, in parallel, from anything that is a [`Sample`]. Knows nothing of files, and
//! of losses only that a target is a number.

use alfiere_chess::types::{Color, Piece, PieceKind, Square};
use alfiere_nnue::{Architecture, Inputs, OutputBuckets, PIECE_INPUTS, Perspective, feature_index, output_bucket};
use rayon::prelude::*;

use super::objective::{LabelValue, Objective};
use super::pairwise::Tiles;
use super::stacks::Stacks;

/// The most pieces that a position has.
pub const MAX_PIECES: usize = 32;
/// Positions that one task extracts.
const FILL_CHUNK: usize = 512;

/// A labelled position, however it is stored.
pub trait Sample: Send + Sync {
    /// Whose move it is.
    fn side_to_move(&self) -> Color;
    /// The pieces and their squares, at most [`MAX_PIECES`].
    fn pieces(&self) -> impl Iterator<Item = (Piece, Square)>;
    /// How many pieces there are.
    fn piece_count(&self) -> u32;
    /// True when a side may still castle: such a position has no mirror image.
    fn can_castle(&self) -> bool;
    /// What the label says, from White's side.
    fn verdict(&self) -> LabelValue;
}

/// Whether a position is shown as it is or with its files mirrored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mirror {
    /// As it is.
    Never,
    /// Mirrored by the toss of a coin that this seed and the row's number decide, where no side may castle.
    Random(u64),
}

/// What a batch needs to know of the network and the objective.
#[derive(Clone, PartialEq, Debug)]
pub struct Encoding {
    perspective: Perspective,
    views: usize,
    buckets: OutputBuckets,
    stacks: usize,
    pairwise: bool,
    inputs: Inputs,
    objective: Objective,
    result_share: f32,
}

impl Encoding {
    /// The encoding for a network; `result_share` is how much of a target is the game's result.
    pub fn new(architecture: &Architecture, objective: Objective, result_share: f32) -> Self {
        Self {
            perspective: architecture.perspective,
            views: architecture.views(),
            buckets: architecture.output_buckets,
            stacks: architecture.stack_count(),
            pairwise: architecture.pairwise,
            inputs: architecture.inputs,
            objective,
            result_share,
        }
    }
}

/// Positions of one step, stack after stack: those that go through the same layers behind the accumulator stand together.
///
/// Position `p` has its features at `p * stride ..`, the views of a piece side by side, as many as it has pieces.
#[derive(Clone, Default, Debug)]
pub struct SparseBatch {
    views: usize,
    inputs: Inputs,
    features: Vec<u16>,
    heads: Vec<Head>,
    targets: Vec<f32>,
    /// Which of the picks each position is.
    order: Vec<u32>,
    stacks: Stacks,
    /// What the kernels of pairwise networks read; empty for others.
    tiles: Tiles,
}

/// What else a position has.
#[derive(Clone, Copy, Default, Debug)]
struct Head {
    pieces: u8,
    bucket: u8,
    side_input: bool,
}

/// One position of a batch.
#[derive(Clone, Copy)]
pub(crate) struct Position<'a> {
    pub(crate) features: &'a [u16],
    pub(crate) bucket: usize,
    pub(crate) side_input: bool,
}

impl SparseBatch {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// True without positions.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Accumulators per position: 1 or 2.
    pub fn views(&self) -> usize {
        self.views
    }

    /// The kind of inputs that its features name.
    pub fn inputs(&self) -> Inputs {
        self.inputs
    }

    /// What the network should put out, in the objective's space.
    pub fn targets(&self) -> &[f32] {
        &self.targets
    }

    /// The output bucket of a position.
    pub fn bucket(&self, position: usize) -> usize {
        usize::from(self.heads[position].bucket)
    }

    /// The sets of layers behind the accumulator that its positions go through.
    pub(crate) fn stacks(&self) -> &Stacks {
        &self.stacks
    }

    /// Which positions have each feature.
    pub(crate) fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// A value for each position, in the order of the picks that the batch was filled from.
    pub fn as_picked(&self, values: &[f32]) -> Vec<f32> {
        let mut picked = vec![0.0; values.len()];
        for (&value, &pick) in values.iter().zip(&self.order) {
            picked[pick as usize] = value;
        }
        picked
    }

    /// Pieces of all positions together, a measure of the work.
    pub fn piece_count(&self) -> usize {
        self.heads.iter().map(|head| usize::from(head.pieces)).sum()
    }

    #[inline]
    pub(crate) fn position(&self, index: usize) -> Position<'_> {
        let head = self.heads[index];
        let start = index * MAX_PIECES * self.views;
        Position {
            features: &self.features[start..start + usize::from(head.pieces) * self.views],
            bucket: usize::from(head.bucket),
            side_input: head.side_input,
        }
    }

    /// Replaces the content by the rows of `samples` that `picks` names, ordered by stack and king bucket.
    ///
    /// # Panics
    /// If a pick is out of range or a sample has more than [`MAX_PIECES`] pieces.
    pub fn fill<S: Sample>(&mut self, samples: &[S], picks: &[u32], encoding: &Encoding, mirror: Mirror) {
        let views = encoding.views;
        let stride = MAX_PIECES * views;
        self.views = views;
        self.inputs = encoding.inputs;
        self.sort(samples, picks, encoding);
        self.features.resize(picks.len() * stride, 0);
        self.heads.resize(picks.len(), Head::default());
        self.targets.resize(picks.len(), 0.0);
        self.features
            .par_chunks_mut(FILL_CHUNK * stride)
            .zip(self.heads.par_chunks_mut(FILL_CHUNK))
            .zip(self.targets.par_chunks_mut(FILL_CHUNK))
            .zip(self.order.par_chunks(FILL_CHUNK))
            .for_each(|(((features, heads), targets), order)| {
                let rows = features.chunks_exact_mut(stride).zip(heads).zip(targets).zip(order);
                for (((features, head), target), &number) in rows {
                    let pick = picks[number as usize];
                    let sample = &samples[pick as usize];
                    (*head, *target) = encode(sample, pick, features, encoding, mirror);
                }
            });
        let mut tiles = std::mem::take(&mut self.tiles);
        if encoding.pairwise {
            tiles.fill(self.len(), views, self.inputs.count(), |position| self.position(position).features);
        } else {
            tiles.clear();
        }
        self.tiles = tiles;
    }

    /// Puts the numbers of the picks in the order of their places, equals as they come.
    fn sort<S: Sample>(&mut self, samples: &[S], picks: &[u32], encoding: &Encoding) {
        self.order.clear();
        self.order.extend(0..picks.len() as u32);
        if encoding.stacks == 1 && encoding.inputs.sets() == 1 {
            self.stacks = Stacks::new([picks.len()]);
            return;
        }
        let place = |&pick: &u32| place(&samples[pick as usize], encoding);
        let places: Vec<u16> = picks.par_iter().with_min_len(FILL_CHUNK).map(place).collect();
        self.order.sort_by_key(|&number| places[number as usize]);
        let stack_of = |&number: &u32| usize::from(places[number as usize] >> 8);
        let ends = (0..encoding.stacks).map(|stack| self.order.partition_point(|number| stack_of(number) <= stack));
        self.stacks = Stacks::new(ends);
    }
}

/// Where in a batch a sample stands: by its stack, then by the king buckets that its views see, so that positions which
/// read the same part of a large table follow each other.
fn place<S: Sample>(sample: &S, encoding: &Encoding) -> u16 {
    let stack = if encoding.stacks == 1 { 0 } else { output_bucket(encoding.buckets, sample.piece_count()) };
    let mut buckets = [0; 2];
    for (piece, square) in sample.pieces() {
        if piece.kind() == PieceKind::King {
            let side = piece.color();
            buckets[side as usize] = encoding.inputs.orientation(side, square).input(0) / PIECE_INPUTS;
        }
    }
    if sample.side_to_move() == Color::Black {
        buckets.swap(0, 1);
    }
    (stack << 8 | buckets[0] << 4 | buckets[1]) as u16
}

/// Writes one sample's features; returns what else is kept of it.
fn encode<S: Sample>(sample: &S, pick: u32, features: &mut [u16], encoding: &Encoding, mirror: Mirror) -> (Head, f32) {
    let side = sample.side_to_move();
    let view = match encoding.perspective {
        Perspective::Dual => side,
        Perspective::White => Color::White,
    };
    // Mirroring the files exchanges square s with s ^ 7, and the inputs keep the square in their low six bits. Where kings
    // turn the views, a position and its mirror image are the same.
    let flip = match mirror {
        _ if encoding.inputs.are_king_relative() => 0,
        Mirror::Never => 0,
        Mirror::Random(seed) => u16::from(coin(seed, pick) && !sample.can_castle()) * 7,
    };
    let mut pieces = 0;
    if encoding.views == 2 {
        for ((piece, square), slot) in sample.pieces().zip(features.as_chunks_mut::<2>().0) {
            let [own, other] = VIEWS[piece as usize][square.index()];
            *slot = if view == Color::White { [own ^ flip, other ^ flip] } else { [other ^ flip, own ^ flip] };
            pieces += 1;
        }
    } else {
        for ((piece, square), slot) in sample.pieces().zip(&mut *features) {
            *slot = VIEWS[piece as usize][square.index()][view as usize] ^ flip;
            pieces += 1;
        }
    }
    if encoding.inputs.are_king_relative() {
        turn(&mut features[..usize::from(pieces) * encoding.views], encoding);
    }
    let head = Head {
        pieces,
        bucket: output_bucket(encoding.buckets, u32::from(pieces)) as u8,
        side_input: encoding.perspective == Perspective::Dual || side == Color::White,
    };
    let target = encoding.objective.target(sample.verdict(), view, encoding.result_share);
    (head, target)
}

/// Makes king-relative inputs of plain ones; `features` are those of all pieces, view after view.
fn turn(features: &mut [u16], encoding: &Encoding) {
    // Inputs come in blocks of 64 squares: the own king's is the sixth, the other's the last. Squares are as the view
    // sees them, so each view is White's here.
    const OWN_KING: u16 = 5;
    const OTHER_KING: u16 = 11;
    let orientation = |king: u16| encoding.inputs.orientation(Color::White, Square::from_index(usize::from(king & 63)));
    if encoding.views == 2 {
        let pairs = features.as_chunks_mut::<2>().0;
        let mut kings = [0, 0];
        for &[first, second] in &*pairs {
            match first >> 6 {
                OWN_KING => kings[0] = first,
                OTHER_KING => kings[1] = second,
                _ => {}
            }
        }
        let [own, other] = kings.map(orientation);
        for [first, second] in pairs {
            *first = own.input(usize::from(*first)) as u16;
            *second = other.input(usize::from(*second)) as u16;
        }
    } else {
        let king = features.iter().rfind(|&feature| feature >> 6 == OWN_KING);
        let own = orientation(king.copied().unwrap_or(0));
        for feature in features {
            *feature = own.input(usize::from(*feature)) as u16;
        }
    }
}

/// The inputs of every piece on every square, as White and as Black sees it.
static VIEWS: [[[u16; 2]; 64]; 12] = {
    let mut table = [[[0; 2]; 64]; 12];
    let mut piece = 0;
    while piece < 12 {
        let mut square = 0;
        while square < 64 {
            let (what, place) = (Piece::ALL[piece], Square::ALL[square]);
            table[piece][square] =
                [feature_index(Color::White, what, place) as u16, feature_index(Color::Black, what, place) as u16];
            square += 1;
        }
        piece += 1;
    }
    table
};

/// A fair coin for a row in an epoch.
fn coin(seed: u64, pick: u32) -> bool {
    super::random::mix(seed ^ u64::from(pick).wrapping_mul(0x9E37_79B9_7F4A_7C15)) >> 63 == 1
}
