//! The kernels: the few loops in which evaluation spends its time, once per instruction set, bit-identical.
//!
//! Chosen at run time. A [`Kernels`] exists only for an instruction set that the processor supports, which makes its
//! safe methods sound. All sums are modulo their type; the quantiser has proved that the final values fit. Independent
//! of chess.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod accumulators;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::inference::chunks::{I8x64, I16x32, I32x16, Rows, U8x64, WeightChunk};
use crate::shape::architecture::Activation;

/// An instruction set of the kernels; all of them give the same results.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InstructionSet {
    /// Plain Rust, the reference of the others.
    Scalar,
    /// 128-bit vectors of WebAssembly, in programs compiled with them: they cannot be looked for at run time.
    Simd128,
    /// 128-bit vectors of 64-bit ARM.
    Neon,
    /// 256-bit vectors of x86.
    Avx2,
    /// 512-bit vectors of x86 with byte and word operations and VNNI.
    Avx512,
}

impl InstructionSet {
    /// All instruction sets, slowest first.
    pub const ALL: [Self; 5] = [Self::Scalar, Self::Simd128, Self::Neon, Self::Avx2, Self::Avx512];

    /// Whether this program, on this processor, can use it.
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vnni")
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => true,
            _ => false,
        }
    }

    /// The available instruction sets, slowest first.
    pub fn available() -> Vec<Self> {
        Self::ALL.into_iter().filter(|set| set.is_available()).collect()
    }

    /// The fastest that can be used; looked up once.
    pub fn best() -> Self {
        static BEST: OnceLock<InstructionSet> = OnceLock::new();
        *BEST.get_or_init(|| Self::available().pop().unwrap_or(Self::Scalar))
    }

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Simd128 => "simd128",
            Self::Neon => "neon",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

/// From a [name](InstructionSet::name).
impl FromStr for InstructionSet {
    type Err = UnknownInstructionSet;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|set| set.name() == name).ok_or(UnknownInstructionSet)
    }
}

/// A name that belongs to no [`InstructionSet`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected scalar, simd128, neon, avx2 or avx512")]
pub struct UnknownInstructionSet;

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scalar => "scalar",
            Self::Simd128 => "SIMD128",
            Self::Neon => "NEON",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512 VNNI",
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kernels(InstructionSet);

/// Sixteen outputs' weights from four inputs each are one chunk; a layer has `blocks` of them per four inputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DenseWeights<'a> {
    /// `[inputs / 4][blocks]`.
    pub(crate) weights: &'a [I8x64],
    /// `[blocks]`.
    pub(crate) bias: &'a [I32x16],
}

macro_rules! dispatch {
    ($self:ident, $function:ident $(::<$($generic:ident),*>)? ($($argument:expr),* $(,)?)) => {
        match $self.0 {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => {
                // SAFETY: a `Kernels` is only made for an instruction set that the processor was found to have.
                #[allow(unsafe_code, reason = "the one place where kernels are entered")]
                unsafe { avx512::$function $(::<$($generic),*>)? ($($argument),*) }
            }
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => {
                // SAFETY: as above.
                #[allow(unsafe_code, reason = "the one place where kernels are entered")]
                unsafe { avx2::$function $(::<$($generic),*>)? ($($argument),*) }
            }
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => {
                // SAFETY: as above.
                #[allow(unsafe_code, reason = "the one place where kernels are entered")]
                unsafe { neon::$function $(::<$($generic),*>)? ($($argument),*) }
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            InstructionSet::Simd128 => simd128::$function $(::<$($generic),*>)? ($($argument),*),
            _ => scalar::$function $(::<$($generic),*>)? ($($argument),*),
        }
    };
}

impl Kernels {
    /// The kernels of an instruction set, if it can be used here.
    pub(crate) fn new(set: InstructionSet) -> Option<Self> {
        set.is_available().then_some(Self(set))
    }

    /// The fastest kernels that can be used here.
    pub(crate) fn best() -> Self {
        Self(InstructionSet::best())
    }

    pub(crate) const fn instruction_set(self) -> InstructionSet {
        self.0
    }

    /// `target = source + the rows of the added inputs - those of the removed`; a row is as long as `target`.
    #[inline]
    pub(crate) fn update<const A: usize, const R: usize>(
        self,
        target: &mut [I16x32],
        source: &[I16x32],
        rows: &Rows,
        added: [usize; A],
        removed: [usize; R],
    ) {
        match rows {
            Rows::Narrow(weights) => self.update_from(target, source, weights, added, removed),
            Rows::Wide(weights) => self.update_from(target, source, weights, added, removed),
        }
    }

    #[inline]
    fn update_from<W: WeightChunk, const A: usize, const R: usize>(
        self,
        target: &mut [I16x32],
        source: &[I16x32],
        weights: &[W],
        added: [usize; A],
        removed: [usize; R],
    ) {
        let length = target.len();
        let row = |input: usize| &weights[input * length..][..length];
        dispatch!(self, update::<W, A, R>(target, source, added.map(row), removed.map(row)));
    }

    /// [`Kernels::update`] with any numbers of rows.
    #[inline]
    pub(crate) fn shift(self, target: &mut [I16x32], source: &[I16x32], rows: &Rows, added: &[u16], removed: &[u16]) {
        match rows {
            Rows::Narrow(weights) => dispatch!(self, shift(target, source, weights, added, removed)),
            Rows::Wide(weights) => dispatch!(self, shift(target, source, weights, added, removed)),
        }
    }

    /// `sum of activation(accumulator + column) * weight` at accumulator scale; all of one length.
    #[inline]
    pub(crate) fn shallow_dot(
        self,
        activation: Activation,
        accumulator: &[I16x32],
        column: Option<&[I16x32]>,
        weights: &[I16x32],
    ) -> i32 {
        match column {
            Some(column) => self.shallow_dot_with(activation, accumulator, column, weights),
            None => self.shallow_dot_with(activation, accumulator, NoColumn, weights),
        }
    }

    #[inline]
    fn shallow_dot_with<C: Column>(
        self,
        activation: Activation,
        accumulator: &[I16x32],
        column: C,
        weights: &[I16x32],
    ) -> i32 {
        match activation {
            Activation::SquaredClippedRelu => dispatch!(self, squared_dot(accumulator, column, weights)),
            _ => dispatch!(self, clipped_dot(accumulator, column, weights)),
        }
    }

    /// `target = activation(accumulator + column)` as u8; two accumulator chunks for one target chunk.
    #[inline]
    pub(crate) fn activate(
        self,
        activation: Activation,
        accumulator: &[I16x32],
        column: Option<&[I16x32]>,
        target: &mut [U8x64],
    ) {
        match column {
            Some(column) => self.activate_with(activation, accumulator, column, target),
            None => self.activate_with(activation, accumulator, NoColumn, target),
        }
    }

    #[inline]
    fn activate_with<C: Column>(self, activation: Activation, accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
        match activation {
            Activation::SquaredClippedRelu => dispatch!(self, activate_squared(accumulator, column, target)),
            _ => dispatch!(self, activate_clipped(accumulator, column, target)),
        }
    }

    /// `target = product of the halves of clip(accumulator + column)` as u8; each half is two chunks for one target chunk.
    #[inline]
    pub(crate) fn activate_pairs(self, accumulator: &[I16x32], column: Option<&[I16x32]>, target: &mut [U8x64]) {
        match column {
            Some(column) => dispatch!(self, activate_pairs(accumulator, column, target)),
            None => dispatch!(self, activate_pairs(accumulator, NoColumn, target)),
        }
    }

    /// `target = bias + input * weights`; `target` and bias are of one length, inputs are at most 127.
    #[inline]
    pub(crate) fn dense(self, input: &[U8x64], layer: DenseWeights<'_>, target: &mut [I32x16]) {
        dispatch!(self, dense(input, layer, target));
    }

    /// The sums of a dense layer whose weights have scale `2^bits`: clipped in the first half of `target`, as clipped squares
    /// in the second.
    #[inline]
    pub(crate) fn activate_twice(self, bits: u32, sums: &[I32x16], target: &mut [U8x64]) {
        dispatch!(self, activate_twice(bits, sums, target));
    }

    /// Sum of `input * weight`; two weight chunks for one input chunk.
    #[inline]
    pub(crate) fn deep_dot(self, input: &[U8x64], weights: &[I16x32]) -> i32 {
        dispatch!(self, deep_dot(input, weights))
    }
}

/// A column of an accumulator's length, or none; which of them is known at compile time.
pub(crate) trait Column: Copy {
    /// The same of a part of the accumulator.
    fn part(self, chunks: Range<usize>) -> Self;

    /// What is added to a chunk.
    fn chunk(&self, index: usize) -> Option<&I16x32>;
}

/// Nothing is added.
#[derive(Clone, Copy)]
pub(crate) struct NoColumn;

impl Column for NoColumn {
    #[inline]
    fn part(self, _: Range<usize>) -> Self {
        self
    }

    #[inline]
    fn chunk(&self, _: usize) -> Option<&I16x32> {
        None
    }
}

impl Column for &[I16x32] {
    #[inline]
    fn part(self, chunks: Range<usize>) -> Self {
        &self[chunks]
    }

    #[inline]
    fn chunk(&self, index: usize) -> Option<&I16x32> {
        Some(&self[index])
    }
}

#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod groups {
    //! Groups of four activations, the unit in which the first dense layer reads its inputs.
    //!
    //! Most groups are all zero, so the vector kernels list the others before they multiply.

    use crate::inference::chunks::U8x64;

    /// Input chunks listed at a time, so that a byte numbers their groups.
    pub(super) const LISTED_CHUNKS: usize = 16;

    pub(super) const LISTED_GROUPS: usize = 16 * LISTED_CHUNKS;

    /// The groups of four bytes of some chunks.
    #[inline]
    #[allow(unsafe_code, reason = "chunks seen as groups of four bytes")]
    pub(super) fn groups(chunks: &[U8x64]) -> &[[u8; 4]] {
        // SAFETY: a chunk is 64 bytes without padding, so `n` chunks are `16 n` initialised groups; these need no alignment
        // and are borrowed for as long as the chunks.
        unsafe { std::slice::from_raw_parts(chunks.as_ptr().cast(), 16 * chunks.len()) }
    }
}
