//! Signed numbers in seven bits a byte (LEB128), the way that Stockfish's network files compress small numbers.

/// What opens a block of such numbers; the number of its bytes follows, four bytes, little-endian.
pub(super) const MARK: &[u8; 17] = b"COMPRESSED_LEB128";

/// Why a block cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FormatError {
    /// The bytes end before the last number.
    Short,
    /// Bytes are left after the last number.
    Long,
    /// A number needs more bits than it may have.
    OutOfRange,
}

/// Reads numbers that fill the bytes exactly.
pub(super) fn decode<T: TryFrom<i64>>(bytes: &[u8], count: usize) -> Result<Vec<T>, FormatError> {
    // A number has a byte at least: a wrong count must not ask for the memory.
    if count > bytes.len() {
        return Err(FormatError::Short);
    }
    let mut numbers = Vec::with_capacity(count);
    let mut bytes = bytes.iter();
    while numbers.len() < count {
        let (mut number, mut bits) = (0_i64, 0);
        loop {
            let byte = *bytes.next().ok_or(FormatError::Short)?;
            if bits > 35 {
                return Err(FormatError::OutOfRange);
            }
            number |= i64::from(byte & 0x7F) << bits;
            bits += 7;
            if byte & 0x80 == 0 {
                // The highest bit is the sign.
                number = number << (64 - bits) >> (64 - bits);
                break;
            }
        }
        numbers.push(T::try_from(number).map_err(|_| FormatError::OutOfRange)?);
    }
    if bytes.next().is_some() { Err(FormatError::Long) } else { Ok(numbers) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_their_signs() {
        let bytes = [0x00, 0x3F, 0x40, 0x7F, 0xC0, 0x00, 0xBF, 0x7F, 0xFF, 0xFF, 0x01, 0x80, 0x80, 0x7E];
        assert_eq!(decode::<i16>(&bytes, 8), Ok(vec![0, 63, -64, -1, 64, -65, 32_767, -32_768]));
    }

    #[test]
    fn flawed_blocks_are_refused() {
        assert_eq!(decode::<i16>(&[0x00, 0x80], 2), Err(FormatError::Short));
        assert_eq!(decode::<i16>(&[0x00], 2), Err(FormatError::Short));
        assert_eq!(decode::<i16>(&[0x00, 0x00], 1), Err(FormatError::Long));
        assert_eq!(decode::<i16>(&[0x80, 0x80, 0x02], 1), Err(FormatError::OutOfRange));
        assert_eq!(decode::<i32>(&[0xFF; 40], 1), Err(FormatError::OutOfRange));
        assert_eq!(decode::<i16>(&[], usize::MAX), Err(FormatError::Short));
    }
}
