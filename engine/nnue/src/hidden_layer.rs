//! What another network's hidden layer computes, from which a network can learn.

/// The first dense layer of a teacher.
pub trait HiddenLayer: Send + Sync {
    /// Number of neurons that are targets. They are the first of the layer's, in its order.
    fn width(&self) -> usize;

    /// Writes the sums of these neurons; 1 is where their activation is clipped. `views` are the plain inputs of the side to
    /// move's view and of the opponent's, in any order of pieces. A view may be mirrored horizontally, here or by the caller.
    fn sums(&self, views: [&mut [u16]; 2], sums: &mut [f32]);
}
