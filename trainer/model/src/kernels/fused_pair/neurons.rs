//! What the second layer receives of a block's clipped neurons, and the gradients of both.

// A call per row would cost more than the row; measured: these are not always inlined without the attribute.
#![allow(clippy::inline_always)]

use wide::f32x16;

use super::super::lanes::{ActivationFunction, Lanes};

/// A kind of neurons: a block gives `N` vectors to the second layer.
pub(super) trait Neurons<const N: usize>: Copy + Send + Sync {
    /// The inputs of the second layer, from neurons in [0, 1].
    fn values(self, neurons: Lanes) -> [f32x16; N];
    /// The gradients of the neurons before clipping, from those of the inputs of the second layer.
    fn gradients(self, neurons: Lanes, upstream: [f32x16; N]) -> Lanes;
}

/// Products of neurons with their partners.
#[derive(Clone, Copy)]
pub(super) struct Pairs;
/// Activations of single neurons.
#[derive(Clone, Copy)]
pub(super) struct Singles<A>(pub(super) A);

impl Neurons<1> for Pairs {
    #[inline(always)]
    fn values(self, neurons: Lanes) -> [f32x16; 1] {
        let [first, second] = neurons.vectors();
        [first * second]
    }

    #[inline(always)]
    fn gradients(self, neurons: Lanes, [upstream]: [f32x16; 1]) -> Lanes {
        let [first, second] = neurons.vectors();
        Lanes::new([upstream * second, upstream * first]).where_inside(&neurons, 1.0)
    }
}

impl<A: ActivationFunction> Neurons<2> for Singles<A> {
    #[inline(always)]
    fn values(self, neurons: Lanes) -> [f32x16; 2] {
        self.0.value(neurons).vectors()
    }

    #[inline(always)]
    fn gradients(self, neurons: Lanes, upstream: [f32x16; 2]) -> Lanes {
        self.0.gradient(&neurons, Lanes::new(upstream))
    }
}
