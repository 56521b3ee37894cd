//! The BMI2 instruction `PEXT`, only in builds for processors that have it.
#![allow(unsafe_code, reason = "a processor intrinsic, as in the network's kernels")]

/// Extracts the bits of `value` selected by `mask` into the low bits of the result.
#[inline]
pub(super) fn pext(value: u64, mask: u64) -> u64 {
    // SAFETY: this module is compiled only if the build target has BMI2.
    unsafe { std::arch::x86_64::_pext_u64(value, mask) }
}
