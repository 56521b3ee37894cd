//! The BMI2 instruction that gathers the bits under a mask; only in builds for processors that have it.
#![allow(unsafe_code, reason = "a processor instruction, as in the network's kernels")]

/// The bits of `value` under `mask`, gathered at the low end.
#[inline]
pub(super) fn pext(value: u64, mask: u64) -> u64 {
    // SAFETY: this module is compiled only where the whole build may use BMI2.
    unsafe { std::arch::x86_64::_pext_u64(value, mask) }
}
