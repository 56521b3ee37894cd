//! In place of training on a graphics card, in a build without it: no value of these types exists.

use crate::batch::SparseBatch;
use crate::float::FloatNetwork;
use crate::hints::Hints;
use crate::layers::Dropout;
use crate::learner_state::{LearnerState, StepLoss, StepSize};
use crate::objective::Objective;
use crate::optimiser::UpdateRule;
use crate::processor::Compute;

#[derive(Clone, Copy, Debug)]
enum Never {}

#[derive(Clone, Debug)]
pub(crate) struct Card(Never);

#[derive(Debug)]
pub struct DeviceBatch(Never);

#[derive(Debug)]
pub(crate) struct CardPredictor(Never);

#[derive(Debug)]
pub(crate) struct Resident(Never);

impl Card {
    pub(crate) fn find(compute: Compute) -> Result<Self, String> {
        Err(format!("this build cannot use {compute}"))
    }

    pub(crate) fn name(&self) -> String {
        match self.0 {}
    }
}

impl CardPredictor {
    pub(crate) fn new(_: &FloatNetwork, card: &Card) -> Self {
        match card.0 {}
    }

    pub(crate) fn outputs(&mut self, _: &SparseBatch) -> Vec<f32> {
        match self.0 {}
    }
}

impl DeviceBatch {
    pub(crate) fn new(_: &SparseBatch, _: Option<&Hints>, card: &Card) -> Self {
        match card.0 {}
    }
}

impl Resident {
    pub(crate) fn new(_: &LearnerState, card: &Card) -> Self {
        match card.0 {}
    }

    pub(crate) fn fetch(&self, _: &mut LearnerState) {
        match self.0 {}
    }

    pub(crate) fn step(
        &mut self,
        _: &DeviceBatch,
        _: Objective,
        _: Dropout,
        _: StepSize,
        _: UpdateRule,
        _: f32,
    ) -> Vec<StepLoss> {
        match self.0 {}
    }

    pub(crate) fn read_losses(&mut self) -> Vec<StepLoss> {
        match self.0 {}
    }
}
