//! The network file of Stockfish 19: little-endian numbers in sections. The lite variant has no threats and no pawn
//! pairs, and 768 instead of 22,528 king-square rows.
//!
//! | section | contents |
//! |---|---|
//! | header | version, hash of the architecture, length of a description, the description, hash of the input set |
//! | bias | 1,024 numbers (LEB128) |
//! | threats | 59,808 × 1,024 weights (i8), 59,808 × 8 PSQT values (LEB128) |
//! | pawn pairs | 4,560 × 1,024 weights (i8), 4,560 × 8 PSQT values (LEB128) |
//! | king squares | 22,528 × 1,024 weights (LEB128), 22,528 × 8 PSQT values (LEB128) |
//! | eight stacks | hash, 32 biases (i32), 32 × 1,024 weights (i8), 32 biases, 32 × 64 weights, 1 bias, 128 weights |

use thiserror::Error;
use wide::i32x8;
use xxhash_rust::xxh3::xxh3_64;

use super::accumulator::{NarrowRow, WIDTH, WideRow, vectors};
use super::layers::{LAST_INPUTS, OUTPUTS, SECOND_INPUTS, Stack};
use super::{KingInputs, Network, pawn_pairs, threats};
use crate::plain_views::STACKS;

pub(crate) const VERSION: u32 = 0x6A44_8AFA;
/// Hashes of the input sets of the full network and of the lite variant, and of a layer stack.
const INPUTS_HASH: u32 = 0xCB68_5313;
const LITE_INPUTS_HASH: u32 = 0x6F23_44B8;
const STACK_HASH: u32 = 0x6333_7116;
/// XXH3 of the files nn-1a298aa575a0.nnue and nn-61e7af4bb97d.nnue.
const CHECKSUM: u64 = 0x3266_5699_B85C_CD14;
const LITE_CHECKSUM: u64 = 0xFEE3_1659_39E8_2AB9;

/// Why a file is not a network of Stockfish 19.
#[derive(Debug, Error)]
pub enum NetworkError {
    #[error("it starts with {found:#010x}, not with {expected:#010x}")]
    Version { found: u32, expected: u32 },
    #[error("the hash of {section} is {found:#010x}, not {expected:#010x}: a different architecture")]
    Shape { section: &'static str, found: u32, expected: u32 },
    #[error("it is truncated in {section}: expected {wanted} bytes, found {left}")]
    Truncated { section: &'static str, wanted: usize, left: usize },
    #[error("{section}: {problem}")]
    Compression { section: &'static str, problem: &'static str },
    #[error("{count} bytes follow the last layer")]
    Trailing { count: usize },
    #[error("its checksum is {found:#018x}, not {expected:#018x}: its contents were altered")]
    Checksum { found: u64, expected: u64 },
}

impl Network {
    /// Reads a network of Stockfish 19 from the bytes of its file.
    ///
    /// # Errors
    /// If the bytes are not exactly those of the original file.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let network = Self::parse(bytes)?;
        let found = xxh3_64(bytes);
        let expected = match network.king_inputs {
            KingInputs::HalfKa => CHECKSUM,
            KingInputs::Plain => LITE_CHECKSUM,
        };
        if found == expected { Ok(network) } else { Err(NetworkError::Checksum { found, expected }) }
    }

    /// Reads any network of this architecture, without verifying its checksum.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut bytes = Bytes(bytes);
        let version = bytes.u32("the head")?;
        if version != VERSION {
            return Err(NetworkError::Version { found: version, expected: VERSION });
        }
        let lite = (LITE_INPUTS_HASH ^ STACK_HASH).to_le_bytes();
        let (inputs_hash, king_inputs) = if bytes.0.starts_with(&lite) {
            (LITE_INPUTS_HASH, KingInputs::Plain)
        } else {
            (INPUTS_HASH, KingInputs::HalfKa)
        };
        bytes.hash("the network", inputs_hash ^ STACK_HASH)?;
        let length = bytes.u32("the head")? as usize;
        bytes.take(length, "the description")?;
        bytes.hash("the inputs", inputs_hash)?;
        let bias = vectors(&bytes.compressed::<i16>(WIDTH, "the biases")?);
        let mut relations = Vec::new();
        if king_inputs == KingInputs::HalfKa {
            relations.extend(bytes.narrow_rows(threats::INPUTS, "the threats")?);
            relations.extend(bytes.narrow_rows(pawn_pairs::INPUTS, "the pawn pairs")?);
        }
        let king_squares = bytes.wide_rows(king_inputs.count(), "the king squares")?;
        let stacks = (0..STACKS).map(|_| bytes.stack()).collect::<Result<_, _>>()?;
        match bytes.0.len() {
            0 => Ok(Self { bias, king_inputs, king_squares, relations, stacks }),
            count => Err(NetworkError::Trailing { count }),
        }
    }
}

/// The unread rest of a file.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize, section: &'static str) -> Result<&'a [u8], NetworkError> {
        let truncated = NetworkError::Truncated { section, wanted: count, left: self.0.len() };
        let (taken, rest) = self.0.split_at_checked(count).ok_or(truncated)?;
        self.0 = rest;
        Ok(taken)
    }

    fn u32(&mut self, section: &'static str) -> Result<u32, NetworkError> {
        Ok(self.take(4, section)?.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    fn hash(&mut self, section: &'static str, expected: u32) -> Result<(), NetworkError> {
        let found = self.u32(section)?;
        if found == expected { Ok(()) } else { Err(NetworkError::Shape { section, found, expected }) }
    }

    fn i32s(&mut self, count: usize, section: &'static str) -> Result<Vec<i32>, NetworkError> {
        Ok(self.take(4 * count, section)?.as_chunks().0.iter().map(|&four| i32::from_le_bytes(four)).collect())
    }

    fn compressed<T: TryFrom<i64>>(&mut self, count: usize, section: &'static str) -> Result<Vec<T>, NetworkError> {
        let damaged = |problem| NetworkError::Compression { section, problem };
        if self.take(MARK.len(), section)? != MARK {
            return Err(damaged("its numbers are not marked as compressed"));
        }
        let length = self.u32(section)? as usize;
        decode(self.take(length, section)?, count).map_err(|flaw| {
            damaged(match flaw {
                FormatError::Short => "its compressed block has too few numbers",
                FormatError::Long => "its compressed block has too many numbers",
                FormatError::OutOfRange => "its compressed block has a number out of range",
            })
        })
    }

    fn materials(&mut self, count: usize, section: &'static str) -> Result<Vec<i32x8>, NetworkError> {
        let numbers = self.compressed(count * STACKS, section)?;
        Ok(numbers.as_chunks().0.iter().map(|&row| i32x8::new(row)).collect())
    }

    fn narrow_rows(&mut self, count: usize, section: &'static str) -> Result<Vec<NarrowRow>, NetworkError> {
        let weights = self.take(count * WIDTH, section)?;
        let materials = self.materials(count, section)?;
        let rows = weights.chunks_exact(WIDTH).zip(materials);
        Ok(rows.map(|(weights, material)| NarrowRow { material, ..NarrowRow::new(weights) }).collect())
    }

    fn wide_rows(&mut self, count: usize, section: &'static str) -> Result<Vec<WideRow>, NetworkError> {
        let weights = self.compressed::<i16>(count * WIDTH, section)?;
        let materials = self.materials(count, section)?;
        let rows = weights.chunks_exact(WIDTH).zip(materials);
        Ok(rows.map(|(weights, material)| WideRow { material, ..WideRow::new(weights) }).collect())
    }

    fn stack(&mut self) -> Result<Stack, NetworkError> {
        const SECTION: &str = "a stack";
        self.hash(SECTION, STACK_HASH)?;
        let first_bias = self.i32s(OUTPUTS, SECTION)?;
        let first = self.take(OUTPUTS * WIDTH, SECTION)?;
        let second_bias = self.i32s(OUTPUTS, SECTION)?;
        let second = self.take(OUTPUTS * SECOND_INPUTS, SECTION)?;
        let last_bias = self.i32s(1, SECTION)?;
        let last = self.take(LAST_INPUTS, SECTION)?;
        Ok(Stack::new([&first_bias, &second_bias, &last_bias], [first, second, last]))
    }
}

/// Magic bytes of a compressed block; its length in bytes follows as a little-endian u32.
pub(super) const MARK: &[u8; 17] = b"COMPRESSED_LEB128";

/// Why a block cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FormatError {
    /// The bytes end before the last number.
    Short,
    /// Bytes remain after the last number.
    Long,
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

    fn compressed(count: usize) -> Vec<u8> {
        [&MARK[..], &(count as u32).to_le_bytes(), &vec![0; count]].concat()
    }

    /// A file of the right length, all zeros after the header, and the offsets of its sections.
    fn valid_file(inputs: KingInputs) -> (Vec<u8>, Vec<usize>) {
        let hash = if inputs == KingInputs::HalfKa { INPUTS_HASH } else { LITE_INPUTS_HASH };
        let head = [VERSION, hash ^ STACK_HASH, 5].map(u32::to_le_bytes).concat();
        let stack_bytes = 4 * (2 * OUTPUTS + 1) + OUTPUTS * (WIDTH + SECOND_INPUTS) + LAST_INPUTS;
        let stack = [STACK_HASH.to_le_bytes().to_vec(), vec![0; stack_bytes]].concat();
        let mut sections = vec![[head, b"words".to_vec(), hash.to_le_bytes().to_vec()].concat(), compressed(WIDTH)];
        if inputs == KingInputs::HalfKa {
            let relations = [threats::INPUTS, pawn_pairs::INPUTS];
            sections.extend(relations.map(|count| [vec![0; count * WIDTH], compressed(count * STACKS)].concat()));
        }
        sections.extend([WIDTH, STACKS].map(|numbers| compressed(inputs.count() * numbers)));
        sections.push(stack.repeat(STACKS));
        let mut starts = Vec::new();
        let mut bytes = Vec::new();
        for section in sections {
            starts.push(bytes.len());
            bytes.extend(section);
        }
        (bytes, starts)
    }

    fn error_of(bytes: &[u8]) -> NetworkError {
        Network::read(bytes).map(drop).expect_err("refused")
    }

    #[test]
    fn other_files_are_rejected_with_the_reason() {
        let (lite, _) = valid_file(KingInputs::Plain);
        let parsed = Network::parse(&lite).expect("the lite variant's shape");
        assert!(parsed.relations.is_empty() && parsed.king_squares.len() == 768);
        assert!(matches!(error_of(&lite), NetworkError::Checksum { expected: LITE_CHECKSUM, .. }));

        let (mut bytes, starts) = valid_file(KingInputs::HalfKa);
        assert!(Network::parse(&bytes).is_ok());
        assert!(matches!(error_of(&bytes), NetworkError::Checksum { .. }), "the architecture alone is not enough");

        for length in starts.iter().flat_map(|&start| [start, start + 3, start + 30]).chain([bytes.len() - 1]) {
            let error = error_of(&bytes[..length]);
            assert!(matches!(error, NetworkError::Truncated { .. }), "{length} bytes: {error}");
        }
        assert!(matches!(error_of(b"ALFNNUE and more"), NetworkError::Version { expected: VERSION, .. }));

        bytes.push(0);
        assert!(matches!(error_of(&bytes), NetworkError::Trailing { count: 1 }));
        bytes.pop();
        // Makes one number a byte longer, so that the block lacks its last number.
        bytes[starts[1] + 40] = 0x80;
        assert!(matches!(error_of(&bytes), NetworkError::Compression { section: "the biases", .. }));
        bytes[starts[1]] = b'c';
        assert!(error_of(&bytes).to_string().contains("not marked as compressed"));
        bytes[starts[1] - 1] ^= 1;
        assert!(matches!(error_of(&bytes), NetworkError::Shape { section: "the inputs", .. }));
        bytes[8..12].fill(0xFF);
        assert!(matches!(error_of(&bytes), NetworkError::Truncated { section: "the description", .. }));
    }

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
