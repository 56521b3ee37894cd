//! The Stockfish 15 network file: little-endian numbers in sections, each preceded by a hash of its architecture.
//!
//! | section | contents |
//! |---|---|
//! | header | version `0x7AF32F20`, hash of the whole architecture, length of a description, the description |
//! | transformer | hash, 1,024 biases (i16), 22,528 × 1,024 weights (i16), 22,528 × 8 PSQT values (i32) |
//! | eight stacks | hash, 16 biases (i32), 16 × 1,024 weights (i8), 32 biases, 32 × 32 weights, 1 bias, 32 weights |

use super::halfka::{INPUTS, Network};
use super::layers::{FIRST, SECOND, Stack, WIDTH};
use crate::plain_views::STACKS;

pub(crate) const VERSION: u32 = 0x7AF3_2F20;
/// Inputs of the second layer in the file: 30, padded.
const SECOND_INPUTS: usize = 32;

impl Network {
    /// Reads the bytes of a network file.
    ///
    /// # Errors
    /// Describes what is wrong with the file.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let mut bytes = Bytes(bytes);
        let version = bytes.u32()?;
        if version != VERSION {
            return Err(format!("it starts with {version:#010x}, not with {VERSION:#010x}"));
        }
        bytes.u32()?;
        let length = bytes.u32()? as usize;
        bytes.take(length)?;
        bytes.u32()?;
        let bias = bytes.i16s(WIDTH)?;
        let weights = bytes.i16s(INPUTS * WIDTH)?;
        let material = bytes.i32s(INPUTS * STACKS)?;
        let stacks = (0..STACKS).map(|_| stack(&mut bytes)).collect::<Result<Vec<Stack>, String>>()?;
        if !bytes.0.is_empty() {
            return Err(format!("{} bytes follow the last layer", bytes.0.len()));
        }
        Ok(Self { bias, weights, material, stacks })
    }
}

fn stack(bytes: &mut Bytes<'_>) -> Result<Stack, String> {
    bytes.u32()?;
    let first_bias = bytes.i32s(FIRST)?;
    let first = bytes.take(FIRST * WIDTH)?;
    let second_bias = bytes.i32s(SECOND)?;
    let second = bytes.take(SECOND * SECOND_INPUTS)?;
    let last_bias = bytes.i32s(1)?;
    let last = bytes.take(SECOND)?;
    Ok(Stack::new([&first_bias, &second_bias, &last_bias], [first, second, last]))
}

/// The unread rest of a file.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(|| "it is truncated".to_owned())?;
        self.0 = rest;
        Ok(taken)
    }

    fn u32(&mut self) -> Result<u32, String> {
        Ok(self.take(4)?.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    fn i16s(&mut self, count: usize) -> Result<Vec<i16>, String> {
        Ok(self.take(2 * count)?.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect())
    }

    fn i32s(&mut self, count: usize) -> Result<Vec<i32>, String> {
        Ok(self.take(4 * count)?.as_chunks().0.iter().map(|&four| i32::from_le_bytes(four)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of the right length, all zeros after the header.
    fn valid_file() -> Vec<u8> {
        let mut bytes = VERSION.to_le_bytes().to_vec();
        bytes.extend([0; 4]);
        bytes.extend(5u32.to_le_bytes());
        bytes.extend(b"words");
        let transformer = 4 + 2 * WIDTH + 2 * INPUTS * WIDTH + 4 * INPUTS * STACKS;
        let stack = 4 + 4 * FIRST + FIRST * WIDTH + 4 * SECOND + SECOND * SECOND_INPUTS + 4 + SECOND;
        bytes.resize(bytes.len() + transformer + STACKS * stack, 0);
        bytes
    }

    #[test]
    fn other_files_are_rejected_with_the_reason() {
        let valid_file = valid_file();
        assert!(Network::read(&valid_file).is_ok());
        let error_of = |bytes: &[u8]| Network::read(bytes).map(drop).expect_err("refused");
        for length in [0, 3, 10, 16, 1_000, valid_file.len() - 1] {
            assert!(error_of(&valid_file[..length]).contains("is truncated"), "{length} bytes");
        }
        assert!(error_of(b"ALFNNUE and more").contains("starts with"));
        assert!(error_of(&[valid_file, vec![0; 3]].concat()).contains("3 bytes follow"));
    }
}
