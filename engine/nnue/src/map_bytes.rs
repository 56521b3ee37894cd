//! The lists of king and output buckets in a network file of version 2.

use super::architecture::Architecture;
use super::inputs::Inputs;
use super::output_buckets::OutputBuckets;

/// King buckets by square, mirroring, output buckets by number of pieces.
pub(super) const MAP_BYTES: usize = KING_BYTES + 1 + 31;
const KING_BYTES: usize = 64;

/// Whether an architecture needs the lists.
pub(super) fn is_needed(architecture: &Architecture) -> bool {
    !(architecture.inputs.is_built_in() && architecture.output_buckets.is_built_in())
}

pub(super) fn write(architecture: &Architecture, bytes: &mut Vec<u8>) {
    bytes.extend(architecture.inputs.king_map());
    bytes.push(u8::from(architecture.inputs.is_mirrored()));
    bytes.extend(architecture.output_buckets.by_pieces());
}

/// A byte that is out of range.
pub(super) struct WrongByte {
    pub(super) field: &'static str,
    pub(super) value: u8,
    pub(super) expected: &'static str,
}

/// The buckets that the lists give; `king_buckets` and `output_buckets` are their numbers according to the header.
pub(super) fn read(
    bytes: &[u8; MAP_BYTES],
    king_buckets: u8,
    output_buckets: u8,
) -> Result<(Inputs, OutputBuckets), WrongByte> {
    let refuse = |field, value, expected| WrongByte { field, value, expected };
    let (map, rest) = bytes.split_at(KING_BYTES);
    let (mirrored, by_pieces) = rest.split_at(1);
    if mirrored[0] > 1 {
        return Err(refuse("mirroring", mirrored[0], "possible are 0 and 1"));
    }
    let inputs = map.try_into().ok().and_then(|map| Inputs::from_king_map(map, mirrored[0] == 1));
    let inputs = inputs.filter(|inputs| inputs.king_buckets() == usize::from(king_buckets));
    let inputs = inputs.ok_or_else(|| refuse("king buckets", king_buckets, "the list of squares has others"))?;
    let outputs = by_pieces.try_into().ok().and_then(OutputBuckets::new);
    let outputs = outputs.filter(|buckets| buckets.count() == usize::from(output_buckets));
    let outputs = outputs.ok_or_else(|| refuse("output buckets", output_buckets, "the list of pieces has others"))?;
    Ok((inputs, outputs))
}
