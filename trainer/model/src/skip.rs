//! Networks whose output layer reads all hidden layers (skip connections).

use burn::tensor::Tensor;

/// Inputs of the output layer, collected layer by layer.
#[derive(Default)]
pub(super) struct SkipInputs {
    values: Vec<Tensor<2>>,
    skipped: Option<Tensor<2>>,
}

impl SkipInputs {
    /// Adds the sums of the next layer; returns its activations: clipped values followed by clipped squares.
    pub(super) fn push(&mut self, sums: Tensor<2>) -> Tensor<2> {
        let width = sums.dims()[1];
        if self.skipped.is_none() {
            self.skipped = Some(sums.clone().narrow(1, width - 2, 1) - sums.clone().narrow(1, width - 1, 1));
        }
        let values = Tensor::cat(vec![sums.clone().clamp(0.0, 1.0), sums.square().clamp_max(1.0)], 1);
        self.values.push(values.clone());
        values
    }

    /// The network's output; `layer` computes the output layer from the last activations.
    pub(super) fn output(self, layer: impl FnOnce(Tensor<2>) -> Tensor<2>) -> Tensor<2> {
        let output = layer(Tensor::cat(self.values, 1));
        match self.skipped {
            Some(skipped) => output + skipped,
            None => output,
        }
    }
}
