//! The layers of a network whose output sees all of them: what each hands on, and what skips the output layer.

use burn::tensor::Tensor;

/// What the output takes in, gathered layer by layer.
#[derive(Default)]
pub(super) struct Seen {
    values: Vec<Tensor<2>>,
    skipped: Option<Tensor<2>>,
}

impl Seen {
    /// Takes the sums of the next layer; returns what it hands on, clipped values before clipped squares.
    pub(super) fn hand_on(&mut self, sums: Tensor<2>) -> Tensor<2> {
        let width = sums.dims()[1];
        if self.skipped.is_none() {
            self.skipped = Some(sums.clone().narrow(1, width - 2, 1) - sums.clone().narrow(1, width - 1, 1));
        }
        let values = Tensor::cat(vec![sums.clone().clamp(0.0, 1.0), sums.square().clamp_max(1.0)], 1);
        self.values.push(values.clone());
        values
    }

    /// The output, of which `layer` computes what the layers hand on.
    pub(super) fn output(self, layer: impl FnOnce(Tensor<2>) -> Tensor<2>) -> Tensor<2> {
        let output = layer(Tensor::cat(self.values, 1));
        match self.skipped {
            Some(skipped) => output + skipped,
            None => output,
        }
    }
}
