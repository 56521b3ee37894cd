//! The compressed values of a table: blocks of Huffman codes for symbols, each a pair of symbols or a value.
//!
//! All data from the file is checked before it is used: a damaged file gives no value, never a panic.

use super::source::{Damage, Source};

/// Exclusive maximum number of symbols, which have 12 bits.
const MAX_SYMBOLS: usize = 4096;
/// The right symbol of a pair that marks the left one as a value.
const NO_SYMBOL: u16 = 0xFFF;
/// Maximum binary logarithm of the block size; published tables have blocks of 32 to 2048 bytes.
const MAX_BLOCK_BITS: u8 = 16;

/// A pair of symbols, or a value.
#[derive(Clone, Copy, Debug)]
struct Symbol {
    /// The first symbol of the pair, or the value if there is no second.
    left: u16,
    right: u16,
    /// The number of values the symbol expands to, minus one.
    extra_values: u8,
}

/// The Huffman codes of one length.
#[derive(Clone, Copy, Debug)]
struct Codes {
    /// The lowest code of this length, left-aligned.
    base: u64,
    symbol: u16,
}

/// The values for one side to move (or for one file of it).
#[derive(Debug)]
pub(super) enum Values {
    /// The same value for all positions.
    Constant(u16),
    Packed(Packed),
}

/// The location and the decoding data of compressed values.
#[derive(Debug)]
pub(super) struct Packed {
    block_bits: u8,
    span_bits: u8,
    blocks: u64,
    listed_blocks: u64,
    spans: u64,
    shortest: u32,
    codes: Vec<Codes>,
    symbols: Vec<Symbol>,
    /// Offsets in the file of the sparse index, the block sizes and the blocks.
    spans_at: u64,
    sizes_at: u64,
    blocks_at: u64,
}

/// A sequential reader of a file's header.
pub(super) struct Header<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Header<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Damage> {
        let bytes = self.bytes.get(self.at..self.at + count).ok_or(Damage::Short)?;
        self.at += count;
        Ok(bytes)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Damage> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn word(&mut self) -> Result<u16, Damage> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    /// Skips to the next even offset.
    pub(super) fn align(&mut self) {
        self.at += self.at & 1;
    }

    pub(super) fn position(&self) -> u64 {
        self.at as u64
    }
}

impl Values {
    /// Reads the flags and the decoding data of the values of `positions` positions. `constant` says whether a table of
    /// a single value stores it.
    pub(super) fn read(header: &mut Header<'_>, positions: u64, constant: bool) -> Result<(u8, Self), Damage> {
        let flags = header.byte()?;
        if flags & 0x80 != 0 {
            let value = header.byte()?;
            return Ok((flags, Self::Constant(if constant { u16::from(value) } else { 0 })));
        }
        Ok((flags, Self::Packed(Packed::read(header, positions)?)))
    }

    /// Sets the offset of the sparse index and returns its end. The next two methods do the same for block sizes and
    /// blocks.
    pub(super) fn set_spans_offset(&mut self, at: u64) -> u64 {
        let Self::Packed(packed) = self else { return at };
        packed.spans_at = at;
        at + 6 * packed.spans
    }

    pub(super) fn set_sizes_offset(&mut self, at: u64) -> u64 {
        let Self::Packed(packed) = self else { return at };
        packed.sizes_at = at;
        at + 2 * packed.listed_blocks
    }

    pub(super) fn set_blocks_offset(&mut self, at: u64) -> u64 {
        let Self::Packed(packed) = self else { return at };
        packed.blocks_at = at.next_multiple_of(64);
        packed.blocks_at + (packed.blocks << packed.block_bits)
    }

    pub(super) fn get(&self, source: &Source, index: u64) -> Option<u16> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Packed(packed) => packed.get(source, index),
        }
    }
}

impl Packed {
    fn read(header: &mut Header<'_>, positions: u64) -> Result<Self, Damage> {
        let (block_bits, span_bits, padding) = (header.byte()?, header.byte()?, header.byte()?);
        let count = header.take(4)?;
        let blocks = u64::from(u32::from_le_bytes([count[0], count[1], count[2], count[3]]));
        let (longest, shortest) = (u32::from(header.byte()?), u32::from(header.byte()?));
        if block_bits > MAX_BLOCK_BITS || !(1..=32).contains(&span_bits) {
            return Err(Damage::Header("block size"));
        }
        if shortest == 0 || longest < shortest || longest > 32 {
            return Err(Damage::Header("code lengths"));
        }
        let lengths = (longest - shortest + 1) as usize;
        let offsets = (0..lengths).map(|_| header.word()).collect::<Result<Vec<u16>, Damage>>()?;
        let symbol_count = usize::from(header.word()?);
        let patterns = header.take(3 * symbol_count)?;
        header.align();
        let spans = positions.div_ceil(1 << span_bits);
        Ok(Self {
            block_bits,
            span_bits,
            blocks,
            listed_blocks: blocks + u64::from(padding),
            spans,
            shortest,
            codes: read_codes(&offsets, shortest),
            symbols: read_symbols(patterns)?,
            spans_at: 0,
            sizes_at: 0,
            blocks_at: 0,
        })
    }

    fn get(&self, source: &Source, index: u64) -> Option<u16> {
        let (block, offset) = self.find_block(source, index)?;
        let bytes = source.read(self.blocks_at + (block << self.block_bits), 1 << self.block_bits)?;
        let (symbol, offset) = self.find_symbol(&bytes, offset)?;
        self.expand(symbol, offset)
    }

    /// The block of a position, and the number of values before it in the block.
    ///
    /// The sparse index gives both for the middle of each span of positions; from there the block sizes are summed.
    fn find_block(&self, source: &Source, index: u64) -> Option<(u64, u32)> {
        let span = source.read(self.spans_at + 6 * (index >> self.span_bits), 6)?;
        let mut block = u64::from(u32::from_le_bytes([span[0], span[1], span[2], span[3]]));
        let middle = i64::from(u16::from_le_bytes([span[4], span[5]]));
        let within = (index & ((1 << self.span_bits) - 1)) as i64 - (1_i64 << (self.span_bits - 1));
        let mut offset = within + middle;
        let size = |block: u64| {
            let bytes = (block < self.listed_blocks).then(|| source.read(self.sizes_at + 2 * block, 2))??;
            Some(i64::from(u16::from_le_bytes([bytes[0], bytes[1]])) + 1)
        };
        while offset < 0 {
            block = block.checked_sub(1)?;
            offset += size(block)?;
        }
        loop {
            let values = size(block)?;
            if offset < values {
                break;
            }
            offset -= values;
            block += 1;
        }
        (block < self.blocks).then_some((block, offset as u32))
    }

    /// Decodes symbols from the start of a block up to the one that contains the value.
    fn find_symbol(&self, block: &[u8], mut offset: u32) -> Option<(u16, u32)> {
        let mut words = block.chunks_exact(4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]]));
        // Beyond the end of the last block, zeros are read.
        let mut next = || u64::from(words.next().unwrap_or(0));
        let mut code = next() << 32 | next();
        let mut empty = 0;
        // Every symbol expands to at least one value, so the number of steps is bounded.
        loop {
            let (extra, codes) = self.codes.iter().enumerate().find(|(_, codes)| code >= codes.base)?;
            let length = self.shortest + extra as u32;
            let symbol = u64::from(codes.symbol) + ((code - codes.base) >> (64 - length));
            let values = u32::from(self.symbols.get(symbol as usize)?.extra_values) + 1;
            if offset < values {
                return Some((symbol as u16, offset));
            }
            offset -= values;
            code <<= length;
            empty += length;
            if empty >= 32 {
                empty -= 32;
                code |= next() << empty;
            }
        }
    }

    fn expand(&self, symbol: u16, mut offset: u32) -> Option<u16> {
        let mut symbol = self.symbols.get(usize::from(symbol))?;
        while symbol.extra_values != 0 {
            let left = self.symbols.get(usize::from(symbol.left))?;
            let values = u32::from(left.extra_values) + 1;
            if offset < values {
                symbol = left;
            } else {
                offset -= values;
                symbol = self.symbols.get(usize::from(symbol.right))?;
            }
        }
        Some(symbol.left)
    }
}

/// Computes the lowest codes of a canonical Huffman code from the first symbol of each length.
fn read_codes(offsets: &[u16], shortest: u32) -> Vec<Codes> {
    let mut codes: Vec<Codes> = offsets.iter().map(|&symbol| Codes { base: 0, symbol }).collect();
    for at in (0..codes.len().saturating_sub(1)).rev() {
        let next = codes[at + 1];
        let sum = next.base.wrapping_add(u64::from(codes[at].symbol)).wrapping_sub(u64::from(next.symbol));
        codes[at].base = sum / 2;
    }
    for (codes, length) in codes.iter_mut().zip(shortest..) {
        codes.base <<= 64 - length;
    }
    codes
}

fn read_symbols(patterns: &[u8]) -> Result<Vec<Symbol>, Damage> {
    let mut symbols: Vec<Symbol> = patterns
        .chunks_exact(3)
        .map(|bytes| {
            let [low, middle, high] = [bytes[0], bytes[1], bytes[2]].map(u16::from);
            Symbol { left: (middle & 15) << 8 | low, right: high << 4 | middle >> 4, extra_values: 0 }
        })
        .collect();
    if symbols.len() >= MAX_SYMBOLS {
        return Err(Damage::Header("too many symbols"));
    }
    let mut states = vec![State::New; symbols.len()];
    for symbol in 0..symbols.len() {
        count_values(symbol, &mut symbols, &mut states)?;
    }
    Ok(symbols)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// Counts the values that a symbol expands to and checks that no symbol contains itself.
fn count_values(at: usize, symbols: &mut [Symbol], states: &mut [State]) -> Result<u8, Damage> {
    match states.get(at) {
        Some(State::Done) => return Ok(symbols[at].extra_values),
        Some(State::New) => states[at] = State::Open,
        Some(State::Open) => return Err(Damage::Header("a symbol that contains itself")),
        None => return Err(Damage::Header("a symbol that does not exist")),
    }
    let Symbol { left, right, .. } = symbols[at];
    if right != NO_SYMBOL {
        let first = count_values(usize::from(left), symbols, states)?;
        let second = count_values(usize::from(right), symbols, states)?;
        let sum = first.checked_add(second).and_then(|sum| sum.checked_add(1));
        symbols[at].extra_values = sum.ok_or(Damage::Header("a symbol with too many values"))?;
    }
    states[at] = State::Done;
    Ok(symbols[at].extra_values)
}
