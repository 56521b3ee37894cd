//! From the float network to the integer one, with proof that no sum can overflow, and back.
//!
//! Every accumulator and every later sum is bounded over all legal positions (see [`super::bounds`]) before a network
//! is made. Sums are computed modulo their type, so only the final value of each needs to fit, and that is proved.

use alfiere_nnue::parameters::{Hidden, Layer, Layers, Parameters, Scaled};
use alfiere_nnue::quantisation::{
    ACCUMULATOR_SCALE, ACTIVATION_SCALE, LINEAR_BITS, LINEAR_LIMIT, MAX_OUTPUT_SCALE, OUTPUT_SCALE_PARTS, WEIGHT_BITS,
    dense_sum_scale, max_squared_weight, output_sum_scale,
};
use alfiere_nnue::{Activation, Architecture, Inputs, Network, NetworkError, Provenance};
use ndarray::{Array, Dimension};
use thiserror::Error;

use super::bounds::{Bounds, dense_bounds, input_bounds};
use super::network::{FloatLayer, FloatNetwork};

/// Why a float network cannot be made an integer one.
#[derive(Debug, Error)]
pub enum QuantiseError {
    #[error(transparent)]
    Network(#[from] NetworkError),
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
}

/// The integer network of a float network; `output_scale` is one output unit in centipawns (rounded to
/// 1/256 centipawn).
///
/// # Errors
/// If a shape is wrong, the activation has no integers, a number is not finite or beyond its type, or a legal position could
/// overflow a sum.
pub fn quantise(float: &FloatNetwork, output_scale: f32, provenance: Provenance) -> Result<Network, QuantiseError> {
    float.validate().map_err(NetworkError::from)?;
    let activation = float.architecture.activation;
    if !activation.has_integers() {
        return Err(QuantiseError::Activation(activation.name()));
    }
    let scale = (f64::from(output_scale) * f64::from(OUTPUT_SCALE_PARTS)).round();
    if !(scale >= 1.0 && output_scale <= MAX_OUTPUT_SCALE) {
        return Err(QuantiseError::OutputScale(output_scale));
    }
    let layers = match float.layers.as_slice() {
        [only] => {
            let limits = [i64::from(LINEAR_LIMIT as i32) << LINEAR_BITS, i64::from(i32::MAX)];
            Layers::Linear(first_layer(&float.architecture.inputs, only, f64::from(1 << LINEAR_BITS), limits)?)
        }
        [first, between @ .., last] => Layers::Layered(hidden(&float.architecture, first, between, last)?),
        [] => unreachable!("every architecture has an output layer"),
    };
    let architecture = float.architecture.clone();
    Ok(Network::from_parameters(Parameters { architecture, output_scale: scale as u32, layers }, provenance)?)
}

/// The layer of the inputs; the limits are those of its numbers and of each sum.
fn first_layer<T: Copy + TryFrom<i64> + Into<i64>>(
    inputs: &Inputs,
    layer: &FloatLayer,
    scale: f64,
    [limit, sum_limit]: [i64; 2],
) -> Result<Layer<T, T>, QuantiseError> {
    let quantised: Layer<T, T> = quantise_layer(0, layer, [scale; 2], [limit; 2])?;
    check(0, sum_limit, layer.outputs(), |output| {
        let column = quantised.weights.column(output).to_vec();
        input_bounds(inputs, |input| column[input].into(), quantised.bias[output].into())
    })?;
    Ok(quantised)
}

fn hidden(
    architecture: &Architecture,
    first: &FloatLayer,
    between: &[FloatLayer],
    last: &FloatLayer,
) -> Result<Hidden, QuantiseError> {
    let dense = |(index, layer): (usize, &FloatLayer)| {
        // The difference of two sums of the first layer is a number of 32 bits, too.
        let terms = if index == 0 && architecture.skip { 2 } else { 1 };
        finest(|bits| dense(index + 1, layer, bits, i64::from(i32::MAX) / terms))
    };
    let limits = [i64::from(i16::MAX); 2];
    let accumulator = first_layer(&architecture.inputs, first, f64::from(ACCUMULATOR_SCALE), limits)?;
    let dense: Vec<Scaled<i8>> = between.iter().enumerate().map(dense).collect::<Result<_, _>>()?;
    Ok(Hidden { accumulator, output: finest(|bits| output(architecture, &dense, last, bits))?, dense })
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

/// `limit` bounds each sum.
fn dense(index: usize, layer: &FloatLayer, bits: u32, limit: i64) -> Result<Layer<i8, i32>, QuantiseError> {
    let scales = [f64::from(1 << bits), f64::from(dense_sum_scale(bits))];
    let quantised = quantise_layer(index, layer, scales, [i64::from(i8::MAX), i64::from(i32::MAX)])?;
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
    let scales = [f64::from(1 << bits), output_sum_scale(architecture, bits) as f64];
    let index = dense.len() + 1;
    let quantised = quantise_layer(index, layer, scales, [weight_limit, i64::from(i32::MAX)])?;
    let skipped = greatest_skipped(architecture, dense, bits);
    check(index, i64::from(i32::MAX), layer.outputs(), |output| {
        let weights = quantised.weights.column(output).mapv(i64::from);
        let Bounds { min, max } = dense_bounds(&weights, i64::from(quantised.bias[output]), i64::from(greatest_input));
        Bounds { min: min - skipped, max: max + skipped }
    })?;
    Ok(quantised)
}

/// The layer with its weights and biases at these scales and within these limits.
fn quantise_layer<W: TryFrom<i64>, B: TryFrom<i64>>(
    layer: usize,
    float: &FloatLayer,
    scales: [f64; 2],
    limits: [i64; 2],
) -> Result<Layer<W, B>, QuantiseError> {
    Ok(Layer {
        weights: quantise_all(layer, "weight", &float.weights, scales[0], limits[0])?,
        bias: quantise_all(layer, "bias", &float.bias, scales[1], limits[1])?,
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

/// The float network that an integer one stands for, in output units of [`Network::output_scale`] centipawns, so that training
/// can continue from a network file. What rounding removed is not in the file. Quantising the result gives the same network.
pub fn dequantise(network: &Network) -> FloatNetwork {
    let architecture = network.architecture().clone();
    let layers = match &network.parameters().layers {
        Layers::Linear(layer) => vec![float_layer(layer, 1 << LINEAR_BITS, 1 << LINEAR_BITS)],
        Layers::Layered(Hidden { accumulator, dense, output: Scaled { layer, bits } }) => {
            let first = float_layer(accumulator, ACCUMULATOR_SCALE.into(), ACCUMULATOR_SCALE.into());
            let between =
                dense.iter().map(|Scaled { layer, bits }| float_layer(layer, 1 << bits, dense_sum_scale(*bits).into()));
            let last = float_layer(layer, 1 << bits, output_sum_scale(&architecture, *bits));
            [first].into_iter().chain(between).chain([last]).collect()
        }
    };
    FloatNetwork { architecture, layers }
}

/// Each integer divided by the scale of its kind.
fn float_layer<W: Copy + Into<f64>, B: Copy + Into<f64>>(layer: &Layer<W, B>, weights: i64, bias: i64) -> FloatLayer {
    FloatLayer {
        weights: layer.weights.mapv(|weight| (weight.into() / weights as f64) as f32),
        bias: layer.bias.mapv(|number| (number.into() / bias as f64) as f32),
    }
}
