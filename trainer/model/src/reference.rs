//! The reference that tests compare kernels with: a network in double precision, computed as plainly as possible.

use alfiere_nnue::{Activation, Architecture, FeatureLists, FloatLayer, FloatNetwork};
use ndarray::{Array1, Array2, s};

use super::Objective;

/// A network in double precision.
pub(super) struct Reference {
    architecture: Architecture,
    layers: Vec<(Array2<f64>, Array1<f64>)>,
}

impl Reference {
    pub(super) fn new(network: &FloatNetwork) -> Self {
        let wide = |layer: &FloatLayer| (layer.weights.mapv(f64::from), layer.bias.mapv(f64::from));
        let layers = network.layers.iter().map(wide).collect();
        Self { architecture: network.architecture.clone(), layers }
    }

    /// A weight by its place in its layer, or a bias.
    pub(super) fn weight(&mut self, layer: usize, is_weight: bool, at: usize) -> &mut f64 {
        let (weights, bias) = &mut self.layers[layer];
        if is_weight { &mut weights[[at / bias.len(), at % bias.len()]] } else { &mut bias[at] }
    }

    fn forward(&self, lists: &FeatureLists) -> f64 {
        let layer = |index: usize, inputs: &[(usize, f64)]| {
            let (weights, bias) = &self.layers[index];
            inputs.iter().fold(bias.clone(), |sums, &(input, value)| sums + value * &weights.row(input))
        };
        let ones = |list: &[usize]| list.iter().map(|&input| (input, 1.0)).collect::<Vec<_>>();
        let bucket = self.architecture.output_buckets.bucket(lists.piece_count);
        if self.architecture.hidden.is_empty() {
            return layer(0, &ones(&lists.first))[bucket];
        }
        let activated = |sum: &f64| match self.architecture.activation {
            Activation::ClippedRelu => sum.clamp(0.0, 1.0),
            Activation::SquaredClippedRelu => sum.clamp(0.0, 1.0).powi(2),
        };
        let outputs_of = |list: &[usize]| -> Vec<f64> {
            let sums = layer(0, &ones(list)).to_vec();
            if self.architecture.pairwise {
                let (first, second) = sums.split_at(sums.len() / 2);
                return first.iter().zip(second).map(|(a, b)| a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0)).collect();
            }
            sums.iter().map(activated).collect()
        };
        let mut values = outputs_of(&lists.first);
        if self.architecture.views() == 2 {
            values.extend(outputs_of(&lists.second));
        }
        let (mut seen, mut skipped) = (Vec::new(), 0.0);
        for index in 1..self.layers.len() {
            if self.architecture.skip && index + 1 == self.layers.len() {
                values = std::mem::take(&mut seen);
            }
            let active: Vec<(usize, f64)> = values.into_iter().enumerate().collect();
            let sums = layer(index, &active).slice(s![self.architecture.outputs_of(index, bucket)]).to_vec();
            values = match (index + 1 < self.layers.len(), self.architecture.skip) {
                (false, _) => sums,
                (true, false) => sums.iter().map(activated).collect(),
                (true, true) => {
                    if index == 1 {
                        skipped = sums[sums.len() - 2] - sums[sums.len() - 1];
                    }
                    let squares = sums.iter().map(|sum| sum.powi(2).min(1.0));
                    let values: Vec<f64> = sums.iter().map(|sum| sum.clamp(0.0, 1.0)).chain(squares).collect();
                    seen.extend_from_slice(&values);
                    values
                }
            };
        }
        values[0] + skipped
    }

    pub(super) fn loss(&self, objective: Objective, lists: &[FeatureLists], targets: &[f32]) -> f64 {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let one = |(list, &target): (&FeatureLists, &f32)| {
            let (output, target) = (self.forward(list), f64::from(target));
            match objective {
                Objective::ClippedCentipawns => (output - target).powi(2),
                Objective::Tanh { .. } => (output.tanh() - target).powi(2),
                Objective::Sigmoid { power, .. } => (sigmoid(output) - target).abs().powf(f64::from(power)),
            }
        };
        lists.iter().zip(targets).map(one).sum::<f64>() / lists.len() as f64
    }
}
