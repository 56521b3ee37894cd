//! The integers of a network, unpadded and in the order of the file, and where they come from.
//!
//! What the file holds and what the kernels' layout is made from; neither reads files nor computes. The scales are those of
//! [`crate::quantisation`].

use std::collections::BTreeMap;

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::shape::architecture::{Architecture, LayerShape};

/// The shape, the scales and the weights of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    pub architecture: Architecture,
    /// 1/256 centipawns per output unit, at least 1.
    pub output_scale: u32,
    pub layers: Layers,
}

/// The layers of either kind of network.
#[derive(Clone, PartialEq, Debug)]
pub enum Layers {
    /// The one layer of a network without hidden ones.
    Linear(Layer<i32, i32>),
    Layered(Hidden),
}

/// The layers of a network that has hidden ones.
#[derive(Clone, PartialEq, Debug)]
pub struct Hidden {
    pub accumulator: Layer<i16, i16>,
    /// The layers between the accumulator and the output.
    pub dense: Vec<Scaled<i8>>,
    pub output: Scaled<i16>,
}

/// A layer behind the first, with its own scale.
#[derive(Clone, PartialEq, Debug)]
pub struct Scaled<W> {
    pub layer: Layer<W, i32>,
    /// The weights have scale `2^bits`; see [`WEIGHT_BITS`](crate::quantisation::WEIGHT_BITS).
    pub bits: u32,
}

/// One layer: weights `[inputs][outputs]`, bias `[outputs]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer<W, B> {
    pub weights: Array2<W>,
    pub bias: Array1<B>,
}

impl<W, B> Layer<W, B> {
    /// The numbers of inputs, outputs and biases.
    fn shape(&self) -> [usize; 3] {
        [self.weights.nrows(), self.weights.ncols(), self.bias.len()]
    }
}

impl Parameters {
    /// The numbers of inputs, outputs and biases of each layer.
    pub(crate) fn shapes(&self) -> Vec<[usize; 3]> {
        match &self.layers {
            Layers::Linear(layer) => vec![layer.shape()],
            Layers::Layered(Hidden { accumulator, dense, output }) => {
                let dense = dense.iter().map(|dense| dense.layer.shape());
                [accumulator.shape()].into_iter().chain(dense).chain([output.layer.shape()]).collect()
            }
        }
    }

    /// Scales of the weights of the layers behind the first, as powers of two.
    pub(crate) fn weight_bits(&self) -> Vec<u32> {
        match &self.layers {
            Layers::Linear(_) => Vec::new(),
            Layers::Layered(hidden) => {
                hidden.dense.iter().map(|dense| dense.bits).chain([hidden.output.bits]).collect()
            }
        }
    }

    /// Whether all weights of an accumulator fit into bytes.
    pub(crate) fn fits_bytes(&self) -> bool {
        let Layers::Layered(hidden) = &self.layers else { return false };
        hidden.accumulator.weights.iter().all(|&weight| i8::try_from(weight).is_ok())
    }

    /// Size of all weights and biases in the file, for headers that are not trusted yet.
    pub(crate) fn weight_bytes(architecture: &Architecture, narrow: bool) -> usize {
        if architecture.hidden.is_empty() {
            return 4 * (architecture.inputs.count() + 1) * architecture.output_buckets.count();
        }
        let shapes = architecture.layer_shapes();
        let last = shapes.len() - 1;
        let bytes = |(index, shape): (usize, &LayerShape)| match index {
            0 => (if narrow { shape.inputs } else { 2 * shape.inputs } + 2) * shape.outputs,
            _ if index == last => (2 * shape.inputs + 4) * shape.outputs,
            _ => (shape.inputs + 4) * shape.outputs,
        };
        shapes.iter().enumerate().map(bytes).sum()
    }
}

/// The longest provenance a file may hold.
pub(crate) const MAX_PROVENANCE_BYTES: usize = 1 << 20;

/// What a network was trained on, how, and how well; stored as JSON in its file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Provenance {
    /// Fingerprint of the training data; empty if there was none.
    pub data_fingerprint: String,
    /// The trainer's whole configuration.
    pub configuration: Value,
    pub seed: u64,
    /// Figures by name, such as the R² on the validation split.
    pub metrics: BTreeMap<String, Value>,
    /// Anything else.
    #[serde(flatten)]
    pub free: BTreeMap<String, Value>,
}

impl Provenance {
    /// Provenance that is one remark.
    pub fn note(text: &str) -> Self {
        Self::default().with("note", text)
    }

    /// Adds a figure; one that is not finite becomes `null`.
    pub fn with_metric(mut self, name: &str, value: f64) -> Self {
        self.metrics.insert(name.to_owned(), Value::from(value));
        self
    }

    /// Adds a free field; a name that one of the fixed fields has is kept apart by an underscore.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        let taken = ["data_fingerprint", "configuration", "seed", "metrics"].contains(&name);
        let name = if taken { format!("{name}_") } else { name.to_owned() };
        self.free.insert(name, value.into());
        self
    }
}
