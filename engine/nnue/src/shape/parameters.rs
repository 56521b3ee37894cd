//! The integers of a quantised network, unpadded and in the order of the file, and where they come from.
//!
//! What the file holds and what the kernels' layout is made from; neither reads files nor computes.

use std::collections::BTreeMap;

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::shape::architecture::{Architecture, LayerShape};

/// Everything a file says.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Parameters {
    pub(crate) architecture: Architecture,
    /// 1/256 centipawns per output unit, at least 1.
    pub(crate) output_scale: u32,
    pub(crate) provenance: Provenance,
    /// The JSON as it stands in the file, so that reading and writing leave the bytes alone.
    pub(crate) provenance_json: Vec<u8>,
    pub(crate) layers: Layers,
}

/// The layers of either kind of network.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Layers {
    Linear(Layer<i32, i32>),
    Layered(Hidden),
}

/// The layers of a network that has hidden ones.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Hidden {
    pub(crate) accumulator: Layer<i16, i16>,
    /// The accumulator's weights are bytes in the file and where they are added.
    pub(crate) narrow: bool,
    pub(crate) dense: Vec<Scaled<i8>>,
    pub(crate) output: Scaled<i16>,
}

/// A layer behind the first, with its own scale.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Scaled<W> {
    pub(crate) layer: Layer<W, i32>,
    /// The weights have scale `2^bits`.
    pub(crate) bits: u32,
}

/// One layer: weights `[inputs][outputs]`, bias `[outputs]`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Layer<W, B> {
    pub(crate) weights: Array2<W>,
    pub(crate) bias: Array1<B>,
}

impl Parameters {
    /// Scales of the weights of the layers behind the first, as powers of two.
    pub(crate) fn weight_bits(&self) -> Vec<u32> {
        match &self.layers {
            Layers::Linear(_) => Vec::new(),
            Layers::Layered(hidden) => {
                hidden.dense.iter().map(|dense| dense.bits).chain([hidden.output.bits]).collect()
            }
        }
    }

    /// True if the first layer's weights are bytes.
    pub(crate) fn is_narrow(&self) -> bool {
        matches!(&self.layers, Layers::Layered(hidden) if hidden.narrow)
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
