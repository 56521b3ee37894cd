//! Adam for a few hundred parameters.

const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-12;

/// First and second moments of the gradients.
pub(super) struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
}

impl Adam {
    pub(super) fn new(count: usize) -> Self {
        Self { first: vec![0.0; count], second: vec![0.0; count], steps: 0 }
    }

    /// Takes one step: moves values against their gradients by about `rate` each, and decays them towards `anchors` by
    /// the share `rate * decay`.
    pub(super) fn step(&mut self, values: &mut [f32], anchors: &[f32], gradient: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let first_share = 1.0 - FIRST_DECAY.powi(self.steps);
        let second_share = 1.0 - SECOND_DECAY.powi(self.steps);
        for (index, value) in values.iter_mut().enumerate() {
            let slope = gradient[index];
            let (first, second) = (&mut self.first[index], &mut self.second[index]);
            *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * slope;
            *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * slope * slope;
            let step = (*first / first_share) / ((*second / second_share).sqrt() + EPSILON);
            *value -= rate * (step + decay * (*value - anchors[index]));
        }
    }
}
