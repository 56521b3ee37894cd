//! Values of fieldless enums by their index.

/// Implements `by_index`, the value with an index that must be in range.
///
/// A `match` and not an array: the compiler sees that a value equals its index, and reads no memory.
macro_rules! impl_by_index {
    ($name:ident: $($variant:ident)*) => {
        impl $name {
            #[inline]
            #[allow(non_upper_case_globals, reason = "constants named for the values")]
            const fn by_index(index: usize) -> Self {
                $(const $variant: usize = $name::$variant as usize;)*
                match index {
                    $($variant => Self::$variant,)*
                    _ => unreachable!(),
                }
            }
        }
    };
}
pub(super) use impl_by_index;
