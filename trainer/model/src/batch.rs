//! A batch of positions as the first layer reads it: lists of the active features.
//!
//! Owns the memory layout and fills it in parallel from [`Row`]s. Independent of files and
//! of the loss function: a target is only a number.

mod tiles;

use alfiere_chess::types::{CastlingRights, Color, Piece, PieceKind, Square};
use alfiere_data::{Row, Samples};
use alfiere_nnue::{Architecture, Inputs, OutputBuckets, Perspective, Relations, feature_index};
use rayon::prelude::*;

use super::objective::Objective;
use tiles::fill_tiles;

pub(crate) use tiles::{MAX_OUTPUTS, Stacks, TILE, Tile, is_narrow};

/// Maximum number of pieces in a position.
pub const MAX_PIECES: usize = 32;
/// Positions per parallel task.
const FILL_CHUNK: usize = 512;

/// Horizontal mirroring as data augmentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mirror {
    /// No mirroring.
    Never,
    /// Mirrors the files of a position at random, decided by this seed and the row number. Positions with castling
    /// rights are never mirrored.
    Random(u64),
}

/// The parts of the architecture and the objective that a batch depends on.
#[derive(Clone, PartialEq, Debug)]
pub struct Encoding {
    perspective: Perspective,
    views: usize,
    buckets: OutputBuckets,
    stacks: usize,
    has_tiles: bool,
    has_side_input: bool,
    inputs: Inputs,
    objective: Objective,
    result_share: f32,
}

impl Encoding {
    /// The encoding for a network. `result_share` is the weight of the game result in the target.
    pub fn new(architecture: &Architecture, objective: Objective, result_share: f32) -> Self {
        Self {
            perspective: architecture.perspective,
            views: architecture.views(),
            buckets: architecture.output_buckets,
            stacks: architecture.stack_count(),
            has_tiles: is_narrow(architecture),
            has_side_input: true,
            inputs: architecture.inputs,
            objective,
            result_share,
        }
    }

    /// The same encoding without the input for the side to move.
    pub fn without_side_to_move(self) -> Self {
        Self { has_side_input: false, ..self }
    }

    /// The same encoding for a graphics card: sorted by output bucket, also without stacks.
    pub(super) fn for_card(self) -> Self {
        Self { has_tiles: false, stacks: self.buckets.count(), ..self }
    }
}

/// Positions, usually those of one training step, sorted so that positions of the same layer stack are contiguous.
///
/// The features of position `p` start at `p * stride`; the views of each piece are adjacent.
#[derive(Clone, Default, Debug)]
pub struct SparseBatch {
    views: usize,
    inputs: Inputs,
    features: Vec<u16>,
    heads: Vec<Head>,
    targets: Vec<f32>,
    /// Index into `picks` of each position.
    order: Vec<u32>,
    stacks: Stacks,
    /// Data for the kernel of a narrow second layer; empty for other networks.
    tiles: Vec<Tile>,
}

/// Data of a position other than its features and target.
#[derive(Clone, Copy, Default, Debug)]
struct Head {
    pieces: u8,
    bucket: u8,
    side_input: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Position<'a> {
    pub(crate) features: &'a [u16],
    pub(crate) bucket: usize,
    pub(crate) side_input: bool,
}

impl SparseBatch {
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// True if the batch has no positions.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Accumulators per position: 1 or 2.
    pub fn views(&self) -> usize {
        self.views
    }

    /// The input feature set.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The training targets, in the objective's output space.
    pub fn targets(&self) -> &[f32] {
        &self.targets
    }

    pub fn bucket(&self, position: usize) -> usize {
        usize::from(self.heads[position].bucket)
    }

    /// The ranges of positions that use each layer stack.
    pub(crate) fn stacks(&self) -> &Stacks {
        &self.stacks
    }

    /// The positions of each feature, tile by tile.
    pub(crate) fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// The features of all positions, see [`SparseBatch`]; what follows a position's last piece has no meaning.
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    pub(crate) fn feature_lists(&self) -> &[u16] {
        &self.features
    }

    /// Reorders one value per position into the order of the picks that filled the batch.
    pub fn as_picked(&self, values: &[f32]) -> Vec<f32> {
        let mut picked = vec![0.0; values.len()];
        for (&value, &pick) in values.iter().zip(&self.order) {
            picked[pick as usize] = value;
        }
        picked
    }

    /// Total number of pieces in the batch, a measure of the work.
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

    /// Refills the batch with the rows of `samples` selected by `picks`, sorted by stack and king bucket.
    ///
    /// # Panics
    /// If a pick is out of range or a sample has more than [`MAX_PIECES`] pieces.
    pub fn fill(&mut self, samples: Samples<'_>, picks: &[u32], encoding: &Encoding, mirror: Mirror) {
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
                    let sample = samples.row(pick);
                    (*head, *target) = encode(sample, pick, features, encoding, mirror);
                }
            });
        let mut tiles = std::mem::take(&mut self.tiles);
        if encoding.has_tiles {
            let features = |position| self.position(position).features;
            fill_tiles(&mut tiles, self.len(), views, self.inputs.count(), features);
        } else {
            tiles.clear();
        }
        self.tiles = tiles;
    }

    /// Sorts the pick numbers by [`sort_key`], stably.
    fn sort(&mut self, samples: Samples<'_>, picks: &[u32], encoding: &Encoding) {
        self.order.clear();
        self.order.extend(0..picks.len() as u32);
        if encoding.stacks == 1 && encoding.inputs.sets() == 1 {
            self.stacks = Stacks::new([picks.len()]);
            return;
        }
        let sort_key = |&pick: &u32| sort_key(samples.row(pick), encoding);
        let keys: Vec<u32> = picks.par_iter().with_min_len(FILL_CHUNK).map(sort_key).collect();
        self.order.sort_by_key(|&number| keys[number as usize]);
        let stack_of = |&number: &u32| (keys[number as usize] >> 16) as usize;
        let ends = (0..encoding.stacks).map(|stack| self.order.partition_point(|number| stack_of(number) <= stack));
        self.stacks = Stacks::new(ends);
    }
}

/// Sort key of a sample: the layer stack, then the king buckets of its views, so that positions that read the same part
/// of a large table are adjacent.
fn sort_key(sample: &Row, encoding: &Encoding) -> u32 {
    let stack = if encoding.stacks == 1 { 0 } else { encoding.buckets.bucket(sample.piece_count()) };
    let mut buckets = [0; 2];
    for (piece, square) in sample.pieces() {
        if piece.kind() == PieceKind::King {
            let side = piece.color();
            buckets[side as usize] = encoding.inputs.orientation(side, square).bucket();
        }
    }
    if sample.side_to_move() == Color::Black {
        buckets.swap(0, 1);
    }
    (stack << 16 | buckets[0] << 8 | buckets[1]) as u32
}

/// Writes one sample's features; returns its header and target.
fn encode(sample: &Row, pick: u32, features: &mut [u16], encoding: &Encoding, mirror: Mirror) -> (Head, f32) {
    let side = sample.side_to_move();
    let view = match encoding.perspective {
        Perspective::Dual => side,
        Perspective::White => Color::White,
    };
    // Mirroring the files maps square s to s ^ 7; the low six bits of an input are the square. With inputs that already
    // mirror by king file, a position and its mirror image have the same features.
    let flip = match mirror {
        _ if encoding.inputs.is_mirrored() => 0,
        Mirror::Never => 0,
        Mirror::Random(seed) => u16::from(coin(seed, pick) && sample.castling_rights() == CastlingRights::NONE) * 7,
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
    if encoding.inputs.is_king_relative() {
        to_king_relative(&mut features[..usize::from(pieces) * encoding.views], encoding);
    }
    if encoding.inputs.has_attacks() {
        let relations = Relations::new(sample.pieces());
        for ((_, square), views) in sample.pieces().zip(features.chunks_exact_mut(encoding.views)) {
            let offset = encoding.inputs.of_state(relations.state(square)) as u16;
            for feature in views {
                *feature += offset;
            }
        }
    }
    let head = Head {
        pieces,
        bucket: encoding.buckets.bucket(u32::from(pieces)) as u8,
        side_input: encoding.has_side_input && (encoding.perspective == Perspective::Dual || side == Color::White),
    };
    let target = encoding.objective.target(sample.label(), sample.result(), view, encoding.result_share);
    (head, target)
}

/// Converts plain inputs to king-relative inputs in place; `features` holds all views of each piece.
fn to_king_relative(features: &mut [u16], encoding: &Encoding) {
    // Inputs come in blocks of 64 squares: block 5 is the own king, block 11 the opponent's king. Squares are already
    // relative to the view, so each view is treated as White.
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

/// The input of every piece on every square, from White's and from Black's point of view.
static VIEWS: [[[u16; 2]; 64]; 12] = {
    let mut table = [[[0; 2]; 64]; 12];
    let mut piece = 0;
    while piece < 12 {
        let mut square = 0;
        while square < 64 {
            let (what, at) = (Piece::ALL[piece], Square::ALL[square]);
            table[piece][square] =
                [feature_index(Color::White, what, at) as u16, feature_index(Color::Black, what, at) as u16];
            square += 1;
        }
        piece += 1;
    }
    table
};

/// A fair coin flip for a row in an epoch.
fn coin(seed: u64, pick: u32) -> bool {
    alfiere_chess::random::mix(seed ^ u64::from(pick).wrapping_mul(0x9E37_79B9_7F4A_7C15)) >> 63 == 1
}

#[cfg(test)]
mod tests;
