//! The shape of a network, declared once for engine and trainer.
//!
//! Independent of weights. Its text form, which is its serde form too, is in [`crate::shape::architecture_text`].

use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::shape::buckets::OutputBuckets;
use crate::shape::inputs::Inputs;

/// The most hidden layers a network may have.
pub const MAX_HIDDEN_LAYERS: usize = 5;
/// The most neurons a hidden layer may have.
pub const MAX_WIDTH: usize = 4096;

/// The most king buckets beside inputs that depend on attacks: an input's number has 16 bits.
const MAX_BUCKETS_WITH_ATTACKS: usize = 8;

/// Whose view of the board the first layer sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Perspective {
    /// One accumulator from each side's view with shared weights, the side to move's first. The value is the side to
    /// move's. A network without hidden layers sees only the side to move's view.
    #[default]
    Dual,
    /// One accumulator from White's view. The value is White's.
    White,
}

impl Perspective {
    /// How many accumulators feed the second layer.
    pub const fn views(self) -> usize {
        match self {
            Self::Dual => 2,
            Self::White => 1,
        }
    }
}

/// The activation function of hidden layers. The code of integers knows the clipped ones only: no other network can
/// be quantised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Activation {
    /// `clip(x, 0, 1)`.
    #[default]
    ClippedRelu,
    /// `clip(x, 0, 1)²`.
    SquaredClippedRelu,
    /// `max(x, 0)`, for experiments: without an upper limit it has no integers.
    Relu,
    /// The hyperbolic tangent, for experiments.
    Tanh,
}

impl Activation {
    /// The function itself, in floating point.
    pub fn apply(self, x: f32) -> f32 {
        let clipped = x.clamp(0.0, 1.0);
        match self {
            Self::ClippedRelu => clipped,
            Self::SquaredClippedRelu => clipped * clipped,
            Self::Relu => x.max(0.0),
            Self::Tanh => x.tanh(),
        }
    }

    /// Whether a network with it can be quantised.
    pub const fn has_integers(self) -> bool {
        matches!(self, Self::ClippedRelu | Self::SquaredClippedRelu)
    }
}

/// Rows and columns of one layer's weight matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerShape {
    pub inputs: usize,
    pub outputs: usize,
}

/// A network's shape.
///
/// Layers are counted from 0: layer 0 maps the inputs (769 plain ones) to the accumulator, the last maps to the output buckets, of
/// which one is taken. With no hidden layer, layer 0 is the last one too (a linear model).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of its text form")]
#[serde(into = "String", try_from = "String")]
pub struct Architecture {
    /// Whose view the first layer sees.
    pub perspective: Perspective,
    /// Widths of the hidden layers: 0 to [`MAX_HIDDEN_LAYERS`] of them, each 1 to [`MAX_WIDTH`].
    pub hidden: Vec<usize>,
    pub activation: Activation,
    pub output_buckets: OutputBuckets,
    /// Whether each output bucket has its own hidden layers after the accumulator (layer stacks).
    pub stacks: bool,
    /// Pairwise multiplication: each clipped neuron of the first half of an accumulator is multiplied by its partner in
    /// the second half, which halves the outputs. `activation` applies to the later layers only.
    pub pairwise: bool,
    /// Skip connections: each layer after the accumulator outputs its clipped sums and their clipped squares, the
    /// output layer reads all of these layers, and the difference of the last two sums of the first is added to the
    /// output.
    pub skip: bool,
    /// 16-bit weights in the accumulator of a deeper network, up to [`ACCUMULATOR_LIMIT`] instead of [`NARROW_LIMIT`].
    ///
    /// [`ACCUMULATOR_LIMIT`]: crate::shape::quantisation::ACCUMULATOR_LIMIT
    /// [`NARROW_LIMIT`]: crate::shape::quantisation::NARROW_LIMIT
    pub wide: bool,
    /// What the inputs depend on: only king-relative ones need [`Perspective::Dual`].
    pub inputs: Inputs,
}

/// Why a shape, a text that should name one, or layers that should have it are refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ArchitectureError {
    #[error("{0} hidden layers, at most {MAX_HIDDEN_LAYERS} are possible")]
    TooManyLayers(usize),
    #[error("hidden layer {layer} has {width} neurons, possible are 1 to {MAX_WIDTH}")]
    Width { layer: usize, width: usize },
    #[error("inputs `{0}` need the perspective `dual`: with `white` only one king would count")]
    KingsOfOneView(String),
    #[error("`attacks` with {0} king buckets, at most {MAX_BUCKETS_WITH_ATTACKS} are possible")]
    TooManyInputs(usize),
    #[error("`stacks` need output buckets, such as `x8`, and two hidden layers at least")]
    NothingToStack,
    #[error("`pairwise` needs an accumulator of even width and two hidden layers at least")]
    NothingToPair,
    #[error("`skip` needs two hidden layers at least, the second of two neurons or more")]
    NothingToSkip,
    #[error("`wide` needs two hidden layers at least: with fewer the weights have 16 bits anyway")]
    NothingToWiden,
    #[error("layers of {found:?} inputs, outputs and biases, the architecture has {expected:?}")]
    Layers { found: Vec<[usize; 3]>, expected: Vec<[usize; 3]> },
    #[error("`{text}` is no architecture: {reason}; expected for example `dual [512] crelu x8`")]
    Syntax { text: String, reason: String },
}

impl Architecture {
    /// A checked shape with plain inputs.
    ///
    /// # Errors
    /// If there are too many layers or a width is out of range.
    pub fn new(
        perspective: Perspective,
        hidden: Vec<usize>,
        activation: Activation,
        output_buckets: OutputBuckets,
    ) -> Result<Self, ArchitectureError> {
        let (stacks, pairwise, skip, wide) = (false, false, false, false);
        let inputs = Inputs::PLAIN;
        Self { perspective, hidden, activation, output_buckets, stacks, pairwise, skip, wide, inputs }.checked()
    }

    pub(crate) fn checked(self) -> Result<Self, ArchitectureError> {
        self.validate()?;
        Ok(self)
    }

    /// Checks the fields, which are open to change, against one another.
    ///
    /// # Errors
    /// If there are too many layers, a width is out of range, the perspective cannot have the inputs or there is nothing to
    /// be stacked, paired, skipped or widened.
    pub fn validate(&self) -> Result<(), ArchitectureError> {
        if self.hidden.len() > MAX_HIDDEN_LAYERS {
            return Err(ArchitectureError::TooManyLayers(self.hidden.len()));
        }
        if let Some(index) = self.hidden.iter().position(|&width| width == 0 || width > MAX_WIDTH) {
            return Err(ArchitectureError::Width { layer: index + 1, width: self.hidden[index] });
        }
        if self.stacks && (self.output_buckets.count() == 1 || self.hidden.len() < 2) {
            return Err(ArchitectureError::NothingToStack);
        }
        if self.pairwise && (self.hidden.len() < 2 || !self.hidden[0].is_multiple_of(2)) {
            return Err(ArchitectureError::NothingToPair);
        }
        if self.skip && self.hidden.get(1).is_none_or(|&width| width < 2) {
            return Err(ArchitectureError::NothingToSkip);
        }
        if self.wide && self.hidden.len() < 2 {
            return Err(ArchitectureError::NothingToWiden);
        }
        if self.inputs.is_king_relative() && !self.is_dual() {
            return Err(ArchitectureError::KingsOfOneView(self.inputs.to_string()));
        }
        if self.inputs.has_attacks() && self.inputs.king_buckets() > MAX_BUCKETS_WITH_ATTACKS {
            return Err(ArchitectureError::TooManyInputs(self.inputs.king_buckets()));
        }
        Ok(())
    }

    /// Checks the fields, and that layers with these numbers of inputs, outputs and biases are those of the shape.
    ///
    /// # Errors
    /// As [`Architecture::validate`], and if a layer differs.
    pub fn check_layers(&self, found: Vec<[usize; 3]>) -> Result<(), ArchitectureError> {
        self.validate()?;
        let shape = |shape: &LayerShape| [shape.inputs, shape.outputs, shape.outputs];
        let expected: Vec<_> = self.layer_shapes().iter().map(shape).collect();
        if found == expected { Ok(()) } else { Err(ArchitectureError::Layers { found, expected }) }
    }

    /// Outputs of an accumulator: one per neuron, or one per pair.
    pub fn accumulator_outputs(&self) -> usize {
        self.hidden.first().map_or(0, |width| if self.pairwise { width / 2 } else { *width })
    }

    /// How many accumulators are concatenated: two for `dual` with a hidden layer, else one.
    pub fn views(&self) -> usize {
        if self.hidden.is_empty() { 1 } else { self.perspective.views() }
    }

    /// Whether both sides' views count, and the value is the side to move's.
    pub fn is_dual(&self) -> bool {
        self.perspective == Perspective::Dual
    }

    /// Layers with weights: the hidden ones and the output.
    fn layer_count(&self) -> usize {
        self.hidden.len() + 1
    }

    /// The shape of each layer from input to output.
    ///
    /// Layer 0 maps the inputs ([`Inputs::count`], 769 plain ones) to the first hidden width. The next layer reads the
    /// outputs of the concatenated accumulators, the side to move's first: `2 * hidden[0]` for `dual`, half of that
    /// with pairs. The last layer has one output per bucket. With stacks the outputs of all buckets are adjacent in
    /// each layer between, and a bucket's next layer reads only its own: see [`Architecture::outputs_of`].
    pub fn layer_shapes(&self) -> Vec<LayerShape> {
        let mut inputs = self.inputs.count();
        let mut shapes = Vec::with_capacity(self.layer_count());
        for (index, &width) in self.hidden.iter().enumerate() {
            shapes.push(LayerShape { inputs, outputs: if index == 0 { width } else { width * self.stack_count() } });
            inputs = if index == 0 { self.accumulator_outputs() * self.views() } else { self.layer_outputs(width) };
        }
        if self.skip {
            inputs = self.hidden[1..].iter().map(|&width| self.layer_outputs(width)).sum();
        }
        shapes.push(LayerShape { inputs, outputs: self.output_buckets.count() });
        shapes
    }

    /// Outputs of a layer of this width after the accumulator.
    pub fn layer_outputs(&self, width: usize) -> usize {
        if self.skip { 2 * width } else { width }
    }

    /// Number of layer stacks: one per output bucket, or one for all.
    pub fn stack_count(&self) -> usize {
        if self.stacks { self.output_buckets.count() } else { 1 }
    }

    /// The outputs of a layer, counted from 0, that a position of this output bucket goes through.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn outputs_of(&self, layer: usize, bucket: usize) -> Range<usize> {
        match self.hidden.get(layer) {
            Some(&width) if self.stacks && layer > 0 => bucket * width..(bucket + 1) * width,
            Some(&width) => 0..width,
            None => bucket..bucket + 1,
        }
    }

    /// Weights and biases in all layers together.
    pub fn parameter_count(&self) -> usize {
        self.layer_shapes().iter().map(|shape| (shape.inputs + 1) * shape.outputs).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_follow_the_perspective() {
        let shape = |inputs, outputs| LayerShape { inputs, outputs };
        let dual: Architecture = "dual [768,16,32] crelu x8".parse().expect("valid");
        assert_eq!(dual.layer_shapes(), [shape(769, 768), shape(1536, 16), shape(16, 32), shape(32, 8)]);
        let white: Architecture = "white [5] crelu x1".parse().expect("valid");
        assert_eq!(white.layer_shapes(), [shape(769, 5), shape(5, 1)]);
        let linear: Architecture = "dual [] crelu x8".parse().expect("valid");
        assert_eq!(linear.layer_shapes(), [shape(769, 8)]);
        assert_eq!(linear.parameter_count(), 770 * 8);
        let kings: Architecture = "dual [16] x8 kings=4".parse().expect("valid");
        assert_eq!(kings.layer_shapes(), [shape(4 * 768 + 1, 16), shape(32, 8)]);
        let stacks: Architecture = "dual [64,16,32] x8 stacks".parse().expect("valid");
        assert_eq!(stacks.layer_shapes(), [shape(769, 64), shape(128, 128), shape(16, 256), shape(32, 8)]);
        let pairs: Architecture = "dual [64,16] pairwise".parse().expect("valid");
        assert_eq!(pairs.layer_shapes(), [shape(769, 64), shape(64, 16), shape(16, 1)]);
        let skip: Architecture = "dual [64,16,32] x8 stacks pairwise skip".parse().expect("valid");
        assert_eq!(skip.layer_shapes(), [shape(769, 64), shape(64, 128), shape(32, 256), shape(96, 8)]);
        assert_eq!([0, 1, 2, 3].map(|layer| stacks.outputs_of(layer, 3)), [0..64, 48..64, 96..128, 3..4]);
        assert_eq!([0, 1, 2].map(|layer| dual.outputs_of(layer, 3)), [0..768, 0..16, 0..32]);
    }
}
