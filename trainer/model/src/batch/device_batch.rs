//! Positions on a device: what the plain operations read, sent once for many steps.

use std::ops::Range;

use burn::tensor::{Device, Int, Tensor, TensorData};
use rayon::prelude::*;

use super::{FILL_CHUNK, MAX_PIECES, SparseBatch};
use crate::hints::Hints;

/// Length of a position's feature list: its pieces and the side to move.
const INPUTS_PER_VIEW: usize = MAX_PIECES + 1;

/// The positions of one or more training steps as a device reads them, before they are sent.
#[derive(Clone, Debug)]
pub struct ListedBatch {
    features: Vec<TensorData>,
    buckets: TensorData,
    targets: TensorData,
    hints: Option<(Hints, TensorData)>,
}

/// The positions of one or more training steps as tensors.
#[derive(Clone, Debug)]
pub struct DeviceBatch {
    /// The active features of each view, `[positions][INPUTS_PER_VIEW]`; unused entries are the number of inputs.
    pub(crate) features: Vec<Tensor<2, Int>>,
    /// The output bucket of each position.
    buckets: Tensor<1, Int>,
    pub(crate) targets: Tensor<1>,
    /// Hints and their targets, `[positions][neurons]`.
    pub(crate) hints: Option<(Hints, Tensor<2>)>,
}

impl ListedBatch {
    /// Lists all positions of a batch, in their order.
    pub(crate) fn new(batch: &SparseBatch, hints: Option<&Hints>) -> Self {
        let buckets: Vec<i32> = (0..batch.len()).map(|position| batch.bucket(position) as i32).collect();
        Self {
            features: (0..batch.views()).map(|view| listed(batch, view)).collect(),
            buckets: TensorData::new(buckets, [batch.len()]),
            targets: TensorData::new(batch.targets().to_vec(), [batch.len()]),
            hints: hints.map(|hints| (hints.clone(), hints.targets(batch))),
        }
    }

    pub(crate) fn send(self, device: &Device) -> DeviceBatch {
        DeviceBatch {
            features: self.features.into_iter().map(|listed| Tensor::from_data(listed, device)).collect(),
            buckets: Tensor::from_data(self.buckets, device),
            targets: Tensor::from_data(self.targets, device),
            hints: self.hints.map(|(hints, targets)| (hints, Tensor::from_data(targets, device))),
        }
    }
}

impl DeviceBatch {
    pub(crate) fn len(&self) -> usize {
        self.buckets.dims()[0]
    }

    pub(crate) fn part(&self, positions: Range<usize>) -> Self {
        let (start, count) = (positions.start, positions.len());
        Self {
            features: self.features.iter().map(|listed| listed.clone().narrow(0, start, count)).collect(),
            buckets: self.buckets.clone().narrow(0, start, count),
            targets: self.targets.clone().narrow(0, start, count),
            hints: self.hints.as_ref().map(|(hints, targets)| (hints.clone(), targets.clone().narrow(0, start, count))),
        }
    }

    /// A 1 in the column of each position's bucket, `[positions][buckets]`.
    pub(crate) fn chosen(&self, buckets: usize) -> Tensor<2> {
        let shape = [self.len(), buckets];
        let numbers = Tensor::<1, Int>::arange(0..buckets as i64, &self.buckets.device()).unsqueeze::<2>();
        self.buckets.clone().unsqueeze_dim::<2>(1).expand(shape).equal(numbers.expand(shape)).float()
    }
}

/// The features of one view of each position.
fn listed(batch: &SparseBatch, view: usize) -> TensorData {
    let inputs = batch.inputs();
    let mut listed = vec![inputs.count() as i32; batch.len() * INPUTS_PER_VIEW];
    listed.par_chunks_exact_mut(INPUTS_PER_VIEW).enumerate().with_min_len(FILL_CHUNK).for_each(|(index, list)| {
        let position = batch.position(index);
        let features = position.features.iter().skip(view).step_by(batch.views());
        for (slot, &feature) in list.iter_mut().zip(features) {
            *slot = i32::from(feature);
        }
        if position.side_input && view == 0 {
            list[INPUTS_PER_VIEW - 1] = inputs.side_to_move() as i32;
        }
    });
    TensorData::new(listed, [batch.len(), INPUTS_PER_VIEW])
}
