//! Tests the kernels against a reference network in double precision: outputs, and gradients by finite differences.

use alfiere_nnue::quantisation::weight_step;
use alfiere_nnue::{Activation, Architecture, FeatureLists};
use ndarray::{Array1, Array2, s};

use super::test_batches::{batch, features, gradients};
use super::test_samples::samples;
use super::{Objective, *};
use crate::float::{FloatLayer, FloatNetwork};

pub(super) const ARCHITECTURES: [&str; 38] = [
    "dual [32] crelu x1",
    "dual [32] screlu x8",
    "dual [40] crelu x8",
    "dual [300] crelu x1",
    "white [7] crelu x1",
    "white [65] screlu x8",
    "dual [24,9] crelu x8",
    "dual [40,8,5] screlu x1",
    "white [50,20,10,6] crelu x1",
    "dual [70,20,6] screlu x8",
    "dual [40,48] crelu x8",
    "white [] crelu x1",
    "white [] crelu x8",
    "dual [] crelu x8",
    "dual [32] crelu x1 kings=1",
    "dual [40] screlu x8 kings=4 attacks",
    "dual [24] crelu x8 kings=16",
    "dual [40,8,5] crelu x1 kings=8",
    "dual [24,48] crelu x8 kings=2",
    "dual [] crelu x8 kings=4",
    "dual [40,8,5] crelu x8 stacks",
    "dual [24,16,9] screlu x8 stacks kings=4",
    "white [40,7] crelu x8 stacks",
    "dual [24,20,9] screlu x8 stacks",
    "dual [100,8,5] crelu x8 stacks pairwise kings=4",
    "white [34,9] screlu x1 pairwise",
    "dual [64,16] crelu x8 pairwise",
    "dual [24,48,6] screlu x8 pairwise",
    "dual [64,32,9] crelu x8 stacks pairwise skip wide kings=4",
    "dual [40,8,5] screlu x8 stacks skip",
    "white [24,40,6,3] crelu x8 skip",
    "dual [24,2] crelu x1 skip",
    "dual [40] relu x8",
    "dual [24,9] tanh x1",
    "dual [40,8,5] relu x8 stacks pairwise kings=4",
    "white [24,40,6] tanh x8",
    "dual [24,9] crelu outputs=0,0,0,0,0,0,0,0,0,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2 stacks kings=2,0,0,0/1,1,1,1/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0",
    "dual [64,8] crelu x8 stacks pairwise kings=0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,2",
];

pub(super) fn with_biases(text: &str) -> FloatNetwork {
    let mut network = initialise(text.parse().expect("an architecture"), 11).expect("valid");
    for (index, layer) in network.layers.iter_mut().enumerate() {
        for (output, bias) in layer.bias.iter_mut().enumerate() {
            *bias = ((index + output) % 7) as f32 * 0.05;
        }
    }
    if weight_step(&network.architecture, 0).is_some() {
        // In a byte network all sums are integers; these biases keep every sum away from the clipping points.
        let unit = 255.0;
        // Small initial weights would all be rounded to 0.
        let spread = if network.architecture.pairwise { 1.0 } else { 12.0 };
        let layer = &mut network.layers[0];
        layer.weights.iter_mut().for_each(|weight| *weight = (spread * *weight * unit / 4.0).round() * 4.0 / unit);
        if network.architecture.wide {
            // Beyond 8 bits.
            layer.weights.iter_mut().step_by(53).for_each(|weight| *weight = (384.0 / unit).copysign(*weight));
        }
        layer.bias.iter_mut().for_each(|bias| *bias = ((*bias * unit / 4.0).round() * 4.0 + 2.0) / unit);
    }
    rounded(network)
}

#[test]
fn outputs_match_the_reference() {
    let samples = samples(300, 1);
    for text in ARCHITECTURES {
        let network = with_biases(text);
        let batch = batch(&network.architecture, Objective::ClippedCentipawns, &samples);
        let outputs = Predictor::new(&network, &Processor::cores()).outputs(&batch);
        for (sample, output) in samples.iter().zip(&outputs) {
            let expected = network.forward(&features(&network.architecture, sample));
            assert!((output - expected).abs() < 1e-4, "{text}: {output}, expected {expected}");
        }
    }
}

#[test]
fn gradients_match_finite_differences() {
    let samples = samples(40, 2);
    let objectives = [
        Objective::ClippedCentipawns,
        Objective::Sigmoid { scale: 300.0, power: 2.5 },
        Objective::Tanh { scale: 400.0 },
        Objective::Sigmoid { scale: 300.0, power: 2.0 },
    ];
    for (index, text) in ARCHITECTURES.into_iter().enumerate() {
        let objective = objectives[index % objectives.len()];
        let mut learner = Learner::new(with_biases(text), Processor::cores());
        let architecture = learner.state().network.architecture.clone();
        let batch = batch(&architecture, objective, &samples);
        let lists: Vec<FeatureLists> = samples.iter().map(|sample| features(&architecture, sample)).collect();
        let mut reference = Reference::new(&learner.state().network);
        let (loss, gradients) = gradients(&mut learner, &batch, objective, Dropout::NONE);
        let targets = batch.as_picked(batch.targets());
        let expected = reference.loss(objective, &lists, &targets);
        assert!((f64::from(loss) - expected).abs() < 1e-5, "{text}: loss {loss}, expected {expected}");
        for (layer, [weight_gradient, bias_gradient]) in gradients.iter().enumerate() {
            let count = weight_gradient.len();
            // Checks a sample of the weights, always including the first layer's side-to-move row, and every bias.
            let row = learner.state().network.layers[layer].outputs();
            let weights = (0..count).step_by(1.max(count / 60)).chain(count - row.min(20)..count);
            let places = weights.map(|at| (true, at)).chain((0..bias_gradient.len()).map(|at| (false, at)));
            for (is_weight, at) in places.collect::<Vec<_>>() {
                let mut shifted = |by: f64| {
                    let before = *reference.weight(layer, is_weight, at);
                    *reference.weight(layer, is_weight, at) = before + by;
                    let loss = reference.loss(objective, &lists, &targets);
                    *reference.weight(layer, is_weight, at) = before;
                    loss
                };
                let step = 1e-6;
                let slope = (shifted(step) - shifted(-step)) / (2.0 * step);
                let found = f64::from(if is_weight { weight_gradient[at] } else { bias_gradient[at] });
                assert!(
                    (found - slope).abs() < 2e-5 + 1e-3 * slope.abs(),
                    "{text} layer {layer} {} {at}: {found}, expected {slope}",
                    if is_weight { "weight" } else { "bias" }
                );
            }
        }
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let samples = samples(1500, 3);
    for (text, rate) in [
        ("dual [40] crelu x8", 0.0),
        ("dual [300] screlu x1", 0.0),
        ("white [70,24,9] crelu x1", 0.2),
        ("dual [300] crelu x8 kings=4", 0.0),
        ("dual [70,20,9] crelu x8", 0.0),
        ("dual [70,9,9] crelu x8 stacks", 0.0),
        ("dual [70,9,9] crelu x8 stacks", 0.2),
        ("dual [70,9,9] crelu x8 pairwise", 0.0),
        ("dual [70,9,9] crelu x8 pairwise", 0.2),
    ] {
        let results: Vec<_> = [1, 2, 5]
            .into_iter()
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                pool.install(|| {
                    let mut learner = Learner::new(with_biases(text), Processor::cores());
                    let batch = batch(&learner.state().network.architecture, Objective::ClippedCentipawns, &samples);
                    let batch = Batch::Sparse(batch);
                    for step in 0..3 {
                        let dropout = Dropout { rate, seed: 5, step };
                        learner.step(
                            &batch,
                            Objective::ClippedCentipawns,
                            dropout,
                            StepSize { rate: 1e-3, decay: 1e-2 },
                        );
                    }
                    learner.into_state().network
                })
            })
            .collect();
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{text}");
    }
}

#[test]
fn training_steps_reduce_the_loss() {
    let samples = samples(400, 4);
    for text in ["dual [32] crelu x8", "white [48,16] screlu x1", "white [] crelu x1", "dual [32] crelu x8 kings=4"] {
        let mut learner = Learner::new(with_biases(text), Processor::cores());
        let batch = batch(&learner.state().network.architecture, Objective::ClippedCentipawns, &samples);
        let batch = Batch::Sparse(batch);
        let mut step =
            || learner.step(&batch, Objective::ClippedCentipawns, Dropout::NONE, StepSize { rate: 3e-3, decay: 0.0 });
        let first = step()[0].mean;
        let last = (0..200).map(|_| step()[0].mean).last().expect("steps");
        assert!(last < first * 0.3, "{text}: {first} -> {last}");
    }
}

/// A network in double precision, written to be obviously right, not to be fast.
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

    pub(super) fn forward(&self, lists: &FeatureLists) -> f64 {
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
            Activation::Relu => sum.max(0.0),
            Activation::Tanh => sum.tanh(),
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
