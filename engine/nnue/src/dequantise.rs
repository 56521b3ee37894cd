//! From the integer network back to floating point, so that training can continue from a network file.
//!
//! What rounding removed is not in the file. Quantising the result gives the same network.

use super::architecture::Architecture;
use super::float::{FloatLayer, FloatNetwork};
use super::nnue::Network;
use super::parameters::{Hidden, Layer, Layers};
use super::quantisation::{ACCUMULATOR_SCALE, LINEAR_BITS, dense_sum_scale, output_sum_scale};

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
