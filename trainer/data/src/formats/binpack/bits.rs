//! Reads and writes bits, most significant first.

/// Payload bits per group in [`BitReader::take_groups`].
const GROUP: u32 = 4;

pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next bits as a number; `None` at the end.
    pub(super) fn take(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for _ in 0..count {
            let byte = *self.bytes.get(self.at / 8)?;
            value = value << 1 | u32::from(byte >> (7 - self.at % 8) & 1);
            self.at += 1;
        }
        Some(value)
    }

    /// Reads a 16-bit number in groups, least significant first.
    pub(super) fn take_groups(&mut self) -> Option<u16> {
        let mut value = 0;
        for shift in (0..16).step_by(GROUP as usize) {
            let group = self.take(GROUP + 1)?;
            value |= (group & 15) << shift;
            if group >> GROUP == 0 {
                return u16::try_from(value).ok();
            }
        }
        None
    }

    /// Number of bytes read, including a partly read one.
    pub(super) const fn bytes_taken(&self) -> usize {
        self.at.div_ceil(8)
    }
}

/// Appends bits to bytes.
pub(super) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    /// Bits left in the last byte.
    free: u32,
}

impl<'a> BitWriter<'a> {
    pub(super) const fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self { bytes, free: 0 }
    }

    /// Writes the low bits of a number.
    pub(super) fn put(&mut self, value: u32, count: u32) {
        for bit in (0..count).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            self.free -= 1;
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value >> bit & 1) as u8) << self.free;
            }
        }
    }

    pub(super) fn put_groups(&mut self, mut value: u16) {
        loop {
            let group = u32::from(value & 15);
            value >>= GROUP;
            self.put(group | u32::from(value > 0) << GROUP, GROUP + 1);
            if value == 0 {
                return;
            }
        }
    }
}

/// The number of bits that encode one of `things` values.
pub(super) const fn bits_for(things: u32) -> u32 {
    match things {
        0 => 0,
        _ => u32::BITS - (things - 1).leading_zeros(),
    }
}

/// Zigzag encoding of a signed number: 2n, or −2n−1 if it is negative.
pub(super) const fn zigzag(value: i16) -> u16 {
    (value << 1 ^ value >> 15) as u16
}

/// The inverse of [`zigzag`].
pub(super) const fn unzigzag(value: u16) -> i16 {
    (value >> 1) as i16 ^ -((value & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut bytes = Vec::new();
        let mut writer = BitWriter::new(&mut bytes);
        writer.put(5, 3);
        for value in (0..=u16::MAX).step_by(77) {
            writer.put_groups(value);
            writer.put(u32::from(value & 1), 1);
        }
        let mut reader = BitReader::new(&bytes);
        assert_eq!(reader.take(3), Some(5));
        for value in (0..=u16::MAX).step_by(77) {
            assert_eq!((reader.take_groups(), reader.take(1)), (Some(value), Some(u32::from(value & 1))));
        }
        assert_eq!(reader.bytes_taken(), bytes.len());
        assert!((i16::MIN..=i16::MAX).all(|value| unzigzag(zigzag(value)) == value));
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
        assert_eq!([0, 1, 2, 3, 4, 5, 16, 17].map(bits_for), [0, 0, 1, 2, 2, 3, 4, 5]);
    }
}
