//! Signed LEB128 numbers (seven bits per byte), the compression of Stockfish's network files.

/// Magic bytes of a compressed block; its length in bytes follows as a little-endian u32.
pub(super) const MARK: &[u8; 17] = b"COMPRESSED_LEB128";

/// Why a block cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FormatError {
    /// The bytes end before the last number.
    Short,
    /// Bytes remain after the last number.
    Long,
    /// A number is out of range.
    OutOfRange,
}

/// Decodes `count` numbers that fill the bytes exactly.
pub(super) fn decode<T: TryFrom<i64>>(bytes: &[u8], count: usize) -> Result<Vec<T>, FormatError> {
    // A number takes at least one byte, so this prevents a huge allocation for a wrong count.
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
    fn numbers_are_decoded_with_their_signs() {
        let bytes = [0x00, 0x3F, 0x40, 0x7F, 0xC0, 0x00, 0xBF, 0x7F, 0xFF, 0xFF, 0x01, 0x80, 0x80, 0x7E];
        assert_eq!(decode::<i16>(&bytes, 8), Ok(vec![0, 63, -64, -1, 64, -65, 32_767, -32_768]));
    }

    #[test]
    fn damaged_blocks_are_rejected() {
        assert_eq!(decode::<i16>(&[0x00, 0x80], 2), Err(FormatError::Short));
        assert_eq!(decode::<i16>(&[0x00], 2), Err(FormatError::Short));
        assert_eq!(decode::<i16>(&[0x00, 0x00], 1), Err(FormatError::Long));
        assert_eq!(decode::<i16>(&[0x80, 0x80, 0x02], 1), Err(FormatError::OutOfRange));
        assert_eq!(decode::<i32>(&[0xFF; 40], 1), Err(FormatError::OutOfRange));
        assert_eq!(decode::<i16>(&[], usize::MAX), Err(FormatError::Short));
    }
}
