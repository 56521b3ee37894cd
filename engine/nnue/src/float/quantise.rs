//! From the float network to the integer one, with proof that no sum can overflow, and back.
//!
//! Every accumulator and every later sum is bounded over all legal positions (see [`crate::float::bounds`]) before a network
//! is made. Sums are computed modulo their type, so only the final value of each needs to fit, and that is proved.

use ndarray::{Array, Dimension};
use thiserror::Error;

use crate::float::bounds::{Bounds, dense_bounds, input_bounds};
use crate::float::network::{FloatLayer, FloatNetwork, FloatNetworkError};
use crate::inference::network::Network;
use crate::shape::architecture::{Activation, Architecture};
use crate::shape::inputs::Inputs;
use crate::shape::parameters::{Hidden, Layer, Layers, MAX_PROVENANCE_BYTES, Parameters, Provenance, Scaled};
use crate::shape::quantisation::{
    ACCUMULATOR_SCALE, ACTIVATION_SCALE, LINEAR_BITS, LINEAR_LIMIT, MAX_OUTPUT_SCALE, OUTPUT_SCALE_PARTS, WEIGHT_BITS,
    dense_sum_scale, max_squared_weight, output_sum_scale,
};

/// Why a float network cannot be made an integer one.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum QuantiseError {
    #[error(transparent)]
    Shape(#[from] FloatNetworkError),
    #[error("activation `{0}` has no integers, so it is for experiments; expected `crelu` or `screlu`")]
    Activation(&'static str),
    #[error("output scale {0} centipawns per unit, possible are 1/256 to {MAX_OUTPUT_SCALE}")]
    OutputScale(f32),
    #[error("layer {layer}: {what} {index} is {value}")]
    NotFinite { layer: usize, what: &'static str, index: usize, value: f32 },
    #[error("layer {layer}: {what} {index} is {value}, the limit is ±{limit}")]
    OutOfRange { layer: usize, what: &'static str, index: usize, value: f32, limit: f64 },
    #[error("layer {layer}, neuron {neuron}: a legal position could make the sum {sum}, the limit is ±{limit}")]
    Overflow { layer: usize, neuron: usize, sum: i64, limit: i64 },
    #[error("provenance of {0} bytes, at most {MAX_PROVENANCE_BYTES} fit")]
    ProvenanceTooLong(usize),
    #[error("provenance cannot be written as JSON: {0}")]
    Provenance(String),
}

/// The integer network of a float network; `output_scale` is one output unit in centipawns (rounded to
/// 1/256 centipawn).
///
/// # Errors
/// If a shape is wrong, the activation has no integers, a number is not finite or beyond its type, or a legal position could
/// overflow a sum.
pub fn quantise(float: &FloatNetwork, output_scale: f32, provenance: Provenance) -> Result<Network, QuantiseError> {
    float.validate()?;
    let activation = float.architecture.activation;
    if !activation.has_integers() {
        return Err(QuantiseError::Activation(activation.name()));
    }
    let scale = (f64::from(output_scale) * f64::from(OUTPUT_SCALE_PARTS)).round();
    if !(scale >= 1.0 && output_scale <= MAX_OUTPUT_SCALE) {
        return Err(QuantiseError::OutputScale(output_scale));
    }
    let provenance_json =
        serde_json::to_vec(&provenance).map_err(|error| QuantiseError::Provenance(error.to_string()))?;
    if provenance_json.len() > MAX_PROVENANCE_BYTES {
        return Err(QuantiseError::ProvenanceTooLong(provenance_json.len()));
    }
    let layers = match float.layers.as_slice() {
        [only] => Layers::Linear(linear(&float.architecture.inputs, only)?),
        [first, between @ .., last] => Layers::Layered(Hidden::quantise(&float.architecture, first, between, last)?),
        [] => return Err(FloatNetworkError::LayerCount { found: 0, expected: 1 }.into()),
    };
    let architecture = float.architecture.clone();
    Ok(Network::new(Parameters { architecture, output_scale: scale as u32, provenance, provenance_json, layers }))
}

fn linear(inputs: &Inputs, layer: &FloatLayer) -> Result<Layer<i32, i32>, QuantiseError> {
    let scale = f64::from(1 << LINEAR_BITS);
    let limit = i64::from(LINEAR_LIMIT as i32) << LINEAR_BITS;
    let quantised = quantise_layer(0, layer, Scale { weights: scale, bias: scale }, limit, limit)?;
    check(0, i64::from(i32::MAX), layer.outputs(), |output| {
        let column = quantised.weights.column(output).to_vec();
        input_bounds(inputs, |input| i64::from(column[input]), i64::from(quantised.bias[output]))
    })?;
    Ok(quantised)
}

impl Hidden {
    fn quantise(
        architecture: &Architecture,
        first: &FloatLayer,
        between: &[FloatLayer],
        last: &FloatLayer,
    ) -> Result<Self, QuantiseError> {
        let dense = |(index, layer): (usize, &FloatLayer)| {
            // The difference of two sums of the first layer is a number of 32 bits, too.
            let terms = if index == 0 && architecture.skip { 2 } else { 1 };
            finest(|bits| dense(index + 1, layer, bits, i64::from(i32::MAX) / terms))
        };
        let accumulator = accumulator(&architecture.inputs, first)?;
        let narrow = accumulator.weights.iter().all(|&weight| i8::try_from(weight).is_ok());
        let dense: Vec<Scaled<i8>> = between.iter().enumerate().map(dense).collect::<Result<_, _>>()?;
        Ok(Self { accumulator, narrow, output: finest(|bits| output(architecture, &dense, last, bits))?, dense })
    }
}

/// The layer at the finest scale with which everything fits; if none does, the error is that of the coarsest.
fn finest<W>(quantise: impl Fn(u32) -> Result<Layer<W, i32>, QuantiseError>) -> Result<Scaled<W>, QuantiseError> {
    let mut bits = *WEIGHT_BITS.end();
    loop {
        match quantise(bits) {
            Ok(layer) => return Ok(Scaled { layer, bits }),
            Err(error) if bits == *WEIGHT_BITS.start() => return Err(error),
            Err(_) => bits -= 1,
        }
    }
}

fn accumulator(inputs: &Inputs, layer: &FloatLayer) -> Result<Layer<i16, i16>, QuantiseError> {
    let scale = f64::from(ACCUMULATOR_SCALE);
    let limit = i64::from(i16::MAX);
    let quantised = quantise_layer(0, layer, Scale { weights: scale, bias: scale }, limit, limit)?;
    check(0, limit, layer.outputs(), |output| {
        let column = quantised.weights.column(output).to_vec();
        input_bounds(inputs, |input| i64::from(column[input]), i64::from(quantised.bias[output]))
    })?;
    Ok(quantised)
}

/// `limit` bounds each sum.
fn dense(index: usize, layer: &FloatLayer, bits: u32, limit: i64) -> Result<Layer<i8, i32>, QuantiseError> {
    let scale = Scale { weights: f64::from(1 << bits), bias: f64::from(dense_sum_scale(bits)) };
    let quantised = quantise_layer(index, layer, scale, i64::from(i8::MAX), i64::from(i32::MAX))?;
    check(index, limit, layer.outputs(), |output| sum_bounds(&quantised, output))?;
    Ok(quantised)
}

fn sum_bounds(layer: &Layer<i8, i32>, output: usize) -> Bounds {
    dense_bounds(
        &layer.weights.column(output).mapv(i64::from),
        i64::from(layer.bias[output]),
        i64::from(ACTIVATION_SCALE),
    )
}

/// The max amount that the skipped sums add to an output, at the output's scale; what each of a layer's stacks can
/// add is bounded by the worst of them.
fn greatest_skipped(architecture: &Architecture, dense: &[Scaled<i8>], bits: u32) -> i64 {
    let Some(Scaled { layer, bits: from }) = dense.first().filter(|_| architecture.skip) else { return 0 };
    let greatest = (0..layer.bias.len()).map(|output| sum_bounds(layer, output).worst().abs()).max().unwrap_or(0);
    // The difference of two, rounded away from zero.
    ((2 * greatest) << bits >> from) + 1
}

fn output(
    architecture: &Architecture,
    dense: &[Scaled<i8>],
    layer: &FloatLayer,
    bits: u32,
) -> Result<Layer<i16, i32>, QuantiseError> {
    let shallow = architecture.hidden.len() == 1;
    let (weight_limit, greatest_input) = match (shallow, architecture.activation) {
        (false, _) => (i64::from(i16::MAX), ACTIVATION_SCALE),
        (true, Activation::SquaredClippedRelu) => (max_squared_weight(), ACCUMULATOR_SCALE * ACCUMULATOR_SCALE),
        (true, _) => (i64::from(i16::MAX), ACCUMULATOR_SCALE),
    };
    let scale = Scale { weights: f64::from(1 << bits), bias: output_sum_scale(architecture, bits) as f64 };
    let index = dense.len() + 1;
    let quantised = quantise_layer(index, layer, scale, weight_limit, i64::from(i32::MAX))?;
    let skipped = greatest_skipped(architecture, dense, bits);
    check(index, i64::from(i32::MAX), layer.outputs(), |output| {
        let weights = quantised.weights.column(output).mapv(i64::from);
        let Bounds { min, max } = dense_bounds(&weights, i64::from(quantised.bias[output]), i64::from(greatest_input));
        Bounds { min: min - skipped, max: max + skipped }
    })?;
    Ok(quantised)
}

#[derive(Clone, Copy)]
struct Scale {
    weights: f64,
    bias: f64,
}

fn quantise_layer<W: TryFrom<i64>, B: TryFrom<i64>>(
    layer: usize,
    float: &FloatLayer,
    scale: Scale,
    weight_limit: i64,
    bias_limit: i64,
) -> Result<Layer<W, B>, QuantiseError> {
    Ok(Layer {
        weights: quantise_all(layer, "weight", &float.weights, scale.weights, weight_limit)?,
        bias: quantise_all(layer, "bias", &float.bias, scale.bias, bias_limit)?,
    })
}

fn quantise_all<T: TryFrom<i64>, D: Dimension>(
    layer: usize,
    what: &'static str,
    values: &Array<f32, D>,
    scale: f64,
    limit: i64,
) -> Result<Array<T, D>, QuantiseError> {
    let quantise = |(index, &value): (usize, &f32)| {
        if !value.is_finite() {
            return Err(QuantiseError::NotFinite { layer, what, index, value });
        }
        let rounded = (f64::from(value) * scale).round();
        let out_of_range = QuantiseError::OutOfRange { layer, what, index, value, limit: limit as f64 / scale };
        if rounded.abs() > limit as f64 {
            return Err(out_of_range);
        }
        T::try_from(rounded as i64).map_err(|_| out_of_range)
    };
    let quantised = values.iter().enumerate().map(quantise).collect::<Result<Vec<T>, _>>()?;
    Ok(Array::from_shape_vec(values.raw_dim(), quantised).expect("as many as there were"))
}

fn check(layer: usize, limit: i64, neurons: usize, bounds_of: impl Fn(usize) -> Bounds) -> Result<(), QuantiseError> {
    for neuron in 0..neurons {
        let sum = bounds_of(neuron).worst();
        if sum.abs() > limit {
            return Err(QuantiseError::Overflow { layer, neuron, sum, limit });
        }
    }
    Ok(())
}

// From the integer network back to floating point, so that training can continue from a network file.
//
// What rounding removed is not in the file. Quantising the result gives the same network.

/// The float network that an integer one stands for, in output units of [`Network::output_scale`] centipawns.
pub fn dequantise(network: &Network) -> FloatNetwork {
    let architecture = network.architecture().clone();
    let layers = match &network.parameters().layers {
        Layers::Linear(layer) => {
            let scale = f64::from(1 << LINEAR_BITS);
            vec![float_layer(layer, scale, scale)]
        }
        Layers::Layered(hidden) => hidden.dequantise(&architecture),
    };
    FloatNetwork { architecture, layers }
}

impl Hidden {
    fn dequantise(&self, architecture: &Architecture) -> Vec<FloatLayer> {
        let scale = f64::from(ACCUMULATOR_SCALE);
        let mut layers = vec![float_layer(&self.accumulator, scale, scale)];
        for dense in &self.dense {
            layers.push(float_layer(&dense.layer, f64::from(1 << dense.bits), f64::from(dense_sum_scale(dense.bits))));
        }
        let bits = self.output.bits;
        layers.push(float_layer(&self.output.layer, f64::from(1 << bits), output_sum_scale(architecture, bits) as f64));
        layers
    }
}

/// Each integer divided by the scale of its kind.
fn float_layer<W, B>(layer: &Layer<W, B>, weight_scale: f64, bias_scale: f64) -> FloatLayer
where
    W: Copy + Into<f64>,
    B: Copy + Into<f64>,
{
    FloatLayer {
        weights: layer.weights.mapv(|weight| (weight.into() / weight_scale) as f32),
        bias: layer.bias.mapv(|bias| (bias.into() / bias_scale) as f32),
    }
}
