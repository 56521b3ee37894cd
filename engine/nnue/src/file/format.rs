//! The `.nnue` file, and why one is refused.
//!
//! All numbers are little-endian.
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | magic `ALFIERE` and the byte 0x1A |
//! | 8 | 4 | format version: 1, or 2 where king or output buckets are not built in |
//! | 12 | 1 | perspective: 0 dual, 1 white; 128 and 129 the same with a first layer whose weights are bytes |
//! | 13 | 1 | activation: 0 `crelu`, 1 `screlu`; 128 more with `pairwise`, 64 more with `skip` |
//! | 14 | 1 | output buckets: 1 or 8, in version 2 up to 31; 128 more with stacks |
//! | 15 | 1 | number of hidden layers, 0 to 5 |
//! | 16 | 10 | five widths of 2 bytes each, 0 for a layer that is not there |
//! | 26 | 5 | scales of the weights of the layers behind the first, powers of two, 6 to 12; 0 for a layer that is not there |
//! | 31 | 1 | king buckets of the inputs: 1, 2, 4, 8 or 16, in version 2 up to 64; 0 for plain inputs; 128 more with `attacks` |
//! | 32 | 4 | output scale: 1/256 centipawns per output unit, at least 1 |
//! | 36 | 4 | length `p` of the provenance, at most 1 MiB |
//! | 40 | 96 | only in version 2: the lists below |
//! | | `p` | provenance, JSON in UTF-8 |
//! | | | weights, layer by layer |
//! | end - 4 | 4 | CRC-32 (`ISO-HDLC`) of everything before it |
//!
//! The lists of version 2, with one byte for each number:
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 40 | 64 | king bucket by the square of the own king as its side sees the board, from a1 to h8 |
//! | 104 | 1 | 1 if a view is mirrored when its king is on files e to h, else 0 |
//! | 105 | 31 | output bucket by the number of pieces, from 2 to 32 |
//!
//! Each layer is its weights `[inputs][outputs]`, then its bias `[outputs]`. A linear model has one layer, i32 and i32.
//! Otherwise the first layer is i16 and i16 (i8 and i16 where all its weights are bytes), the layers between are i8 and
//! i32, the output layer is i16 and i32. Their scales are those of [`crate::shape::quantisation`].

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use alfiere_chess::files::write_atomic;
use thiserror::Error;

use crate::file::storage::{self, MAP_BYTES, read_layer, write_layer};
use crate::inference::network::Network;
use crate::shape::architecture::{Activation, Architecture, ArchitectureError, MAX_HIDDEN_LAYERS, Perspective};
use crate::shape::buckets::OutputBuckets;
use crate::shape::inputs::Inputs;
use crate::shape::parameters::{Hidden, Layer, Layers, MAX_PROVENANCE_BYTES, Parameters, Provenance, Scaled};
use crate::shape::quantisation::{MAX_OUTPUT_SCALE, OUTPUT_SCALE_PARTS, WEIGHT_BITS, max_squared_weight};

/// The latest version. Networks with built-in buckets are written as version 1; both are read.
pub const FORMAT_VERSION: u32 = 2;

/// Set in the perspective if the first layer's weights are bytes.
const NARROW: u8 = 0x80;
/// Set in the number of output buckets if each has all layers behind the accumulator for itself.
const STACKS: u8 = 0x80;
/// Set in the king buckets if the input of a piece depends on what attacks and defends it.
const ATTACKS: u8 = 0x80;
/// Set in the activation if the halves of an accumulator are multiplied with one another.
const PAIRWISE: u8 = 0x80;
/// Set in the activation if the output sees all layers behind the accumulator.
const SKIP: u8 = 0x40;
/// Set in the activation if a deeper network's accumulator may have weights that do not fit into bytes.
const WIDE: u8 = 0x20;
const MAGIC: [u8; 8] = *b"ALFIERE\x1A";
/// Without the lists of version 2.
const HEADER_BYTES: usize = 40;
const CHECKSUM_BYTES: usize = 4;

impl Network {
    pub fn to_bytes(&self) -> Vec<u8> {
        let parameters = self.parameters();
        let architecture = &parameters.architecture;
        let json = &self.provenance_json;
        let narrow = self.narrow;
        let has_maps = storage::is_needed(architecture);
        let header = if has_maps { HEADER_BYTES + MAP_BYTES } else { HEADER_BYTES };
        let length = header + json.len() + Parameters::weight_bytes(architecture, narrow) + CHECKSUM_BYTES;
        let mut bytes = Vec::with_capacity(length);
        bytes.extend(MAGIC);
        bytes.extend((1 + u32::from(has_maps)).to_le_bytes());
        let perspective = match architecture.perspective {
            Perspective::Dual => 0,
            Perspective::White => 1,
        };
        bytes.push(perspective | if narrow { NARROW } else { 0 });
        let activation = u8::from(architecture.activation == Activation::SquaredClippedRelu);
        let flags = [(architecture.pairwise, PAIRWISE), (architecture.skip, SKIP), (architecture.wide, WIDE)];
        bytes.push(flags.iter().fold(activation, |byte, &(is_set, flag)| if is_set { byte | flag } else { byte }));
        bytes.push(architecture.output_buckets.count() as u8 | if architecture.stacks { STACKS } else { 0 });
        bytes.push(architecture.hidden.len() as u8);
        for layer in 0..MAX_HIDDEN_LAYERS {
            bytes.extend((architecture.hidden.get(layer).copied().unwrap_or(0) as u16).to_le_bytes());
        }
        let bits = parameters.weight_bits();
        bytes.extend((0..MAX_HIDDEN_LAYERS).map(|layer| bits.get(layer).copied().unwrap_or(0) as u8));
        let attacks = if architecture.inputs.has_attacks() { ATTACKS } else { 0 };
        bytes.push(architecture.inputs.king_buckets() as u8 | attacks);
        bytes.extend(parameters.output_scale.to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        if has_maps {
            storage::write(architecture, &mut bytes);
        }
        bytes.extend(json);
        match &parameters.layers {
            Layers::Linear(layer) => write_layer(layer, &mut bytes),
            Layers::Layered(hidden) => {
                if narrow {
                    hidden.accumulator.write_narrow(&mut bytes);
                } else {
                    write_layer(&hidden.accumulator, &mut bytes);
                }
                hidden.dense.iter().for_each(|dense| write_layer(&dense.layer, &mut bytes));
                write_layer(&hidden.output.layer, &mut bytes);
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The network that a file's bytes hold.
    ///
    /// # Errors
    /// If they are not exactly such a file: cut, altered, longer, of another version, out of range.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (header, expected) = NetworkHeader::parse(bytes)?;
        let found = bytes.len() as u64;
        if found != expected {
            return Err(NetworkError::Length { found, expected });
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
        let found = checksum.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        let expected = crc32fast::hash(content);
        if found != expected {
            return Err(NetworkError::Checksum { found, expected });
        }
        let (json, weights) = content[header.bytes..].split_at(header.provenance_bytes);
        let provenance = serde_json::from_slice(json).map_err(|error| NetworkError::Provenance(error.to_string()))?;
        let layers = header.read_layers(weights);
        let parameters = Parameters { architecture: header.architecture, output_scale: header.output_scale, layers };
        check_parameters(&parameters)?;
        Ok(Self::new(parameters, header.narrow, provenance, json.to_vec()))
    }

    /// The network of these integers. The accumulator's weights become bytes if all of them fit.
    ///
    /// That no sum overflows in any legal position is for the caller to prove, as the trainer's quantiser does. Sums are
    /// modulo their type: one that overflows makes values wrong, nothing worse.
    ///
    /// # Errors
    /// If the layers are not those of the architecture, a number is out of range or the provenance is too long.
    pub fn from_parameters(parameters: Parameters, provenance: Provenance) -> Result<Self, NetworkError> {
        check_parameters(&parameters)?;
        let json = serde_json::to_vec(&provenance).map_err(|error| NetworkError::Provenance(error.to_string()))?;
        check_provenance(json.len())?;
        let narrow = parameters.fits_bytes();
        Ok(Self::new(parameters, narrow, provenance, json))
    }

    /// Whether a file begins as a network's does; no for one that cannot be read.
    pub fn is_file(path: impl AsRef<Path>) -> bool {
        let mut start = [0; MAGIC.len()];
        File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == MAGIC
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or is no network; the error names the file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, NetworkError> {
        let path = path.as_ref();
        let io = |source| NetworkError::Io { path: path.to_owned(), source };
        let refuse = |source| NetworkError::File { path: path.to_owned(), source: Box::new(source) };
        let mut file = File::open(path).map_err(io)?;
        let mut bytes = Vec::new();
        file.by_ref().take((HEADER_BYTES + MAP_BYTES) as u64).read_to_end(&mut bytes).map_err(io)?;
        // No more is read than the header asks for and a byte behind it: a wrong name does not fill the memory.
        let (_, expected) = NetworkHeader::parse(&bytes).map_err(refuse)?;
        file.take((expected + 1).saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes).map_err(io)?;
        Self::from_bytes(&bytes).map_err(refuse)
    }

    /// Writes a file: beside the old one first, which is replaced only when the new one is safe on the disk.
    ///
    /// # Errors
    /// If it cannot be written; an old file of that name is then left as it was.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), NetworkError> {
        let path = path.as_ref();
        write_atomic(path, &self.to_bytes()).map_err(|source| NetworkError::Io { path: path.to_owned(), source })
    }
}

struct NetworkHeader {
    /// Length of the header itself.
    bytes: usize,
    architecture: Architecture,
    /// The first layer's weights are bytes.
    narrow: bool,
    /// Of the layers behind the first.
    weight_bits: Vec<u32>,
    output_scale: u32,
    provenance_bytes: usize,
}

impl NetworkHeader {
    /// From the beginning of a file; beside it how many bytes the whole must have.
    fn parse(bytes: &[u8]) -> Result<(Self, u64), NetworkError> {
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
            return Err(NetworkError::Magic);
        }
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            return Err(NetworkError::Length { found: bytes.len() as u64, expected: HEADER_BYTES as u64 });
        };
        let number = |offset: usize, bytes: usize| {
            header[offset..][..bytes].iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
        };
        let version = number(8, 4);
        let maps = match version {
            1 => None,
            FORMAT_VERSION => {
                let expected = (HEADER_BYTES + MAP_BYTES) as u64;
                let maps = bytes[HEADER_BYTES..].first_chunk::<MAP_BYTES>();
                Some(maps.ok_or(NetworkError::Length { found: bytes.len() as u64, expected })?)
            }
            _ => return Err(NetworkError::Version { found: version, latest: FORMAT_VERSION }),
        };
        let own_bytes = HEADER_BYTES + maps.map_or(0, |maps| maps.len());
        let architecture = Self::architecture(header, maps)?;
        let has_built_in = maps.is_some() && !storage::is_needed(&architecture);
        check(!has_built_in, "format version", version, "its buckets are built in, so it is 1")?;
        let narrow = header[12] & NARROW != 0;
        check(
            !narrow || !architecture.hidden.is_empty(),
            "perspective",
            u32::from(header[12]),
            "bytes need a hidden layer",
        )?;
        let (present, absent) = header[26..26 + MAX_HIDDEN_LAYERS].split_at(architecture.hidden.len());
        for &byte in absent {
            check(byte == 0, "a byte without meaning", u32::from(byte), "it is 0")?;
        }
        let weight_bits = present.iter().copied().map(u32::from).collect();
        let output_scale = number(32, 4);
        let provenance_bytes = number(36, 4) as usize;
        check_provenance(provenance_bytes)?;
        let expected = own_bytes + provenance_bytes + Parameters::weight_bytes(&architecture, narrow) + CHECKSUM_BYTES;
        Ok((
            Self { bytes: own_bytes, architecture, narrow, weight_bits, output_scale, provenance_bytes },
            expected as u64,
        ))
    }

    fn architecture(header: &[u8; HEADER_BYTES], maps: Option<&[u8; MAP_BYTES]>) -> Result<Architecture, NetworkError> {
        let refuse = |field, value: u8, expected| NetworkError::Header { field, value: u64::from(value), expected };
        let perspective = match header[12] & !NARROW {
            0 => Perspective::Dual,
            1 => Perspective::White,
            _ => return Err(refuse("perspective", header[12], "possible are 0, 1, 128 and 129")),
        };
        let pairwise = header[13] & PAIRWISE != 0;
        let skip = header[13] & SKIP != 0;
        let wide = header[13] & WIDE != 0;
        let activation = match header[13] & !(PAIRWISE | SKIP | WIDE) {
            0 => Activation::ClippedRelu,
            1 => Activation::SquaredClippedRelu,
            _ => return Err(refuse("activation", header[13], "possible are 0 and 1, also with 32, 64 and 128 added")),
        };
        let stacks = header[14] & STACKS != 0;
        let (inputs, output_buckets) = if let Some(maps) = maps {
            storage::read(maps, header[31] & !ATTACKS, header[14] & !STACKS)
                .map_err(|wrong| refuse(wrong.field, wrong.value, wrong.expected))?
        } else {
            let output_buckets = match header[14] & !STACKS {
                1 => OutputBuckets::ONE,
                8 => OutputBuckets::EIGHT,
                _ => return Err(refuse("output buckets", header[14], "possible are 1, 8 and 136")),
            };
            let inputs = Inputs::from_king_buckets((header[31] & !ATTACKS).into())
                .ok_or_else(|| refuse("king buckets", header[31], "possible are 0, 1, 2, 4, 8 and 16"))?;
            (inputs, output_buckets)
        };
        let count = usize::from(header[15]);
        if count > MAX_HIDDEN_LAYERS {
            return Err(ArchitectureError::TooManyLayers(count).into());
        }
        let width = |layer: usize| usize::from(u16::from_le_bytes([header[16 + 2 * layer], header[17 + 2 * layer]]));
        if let Some(layer) = (count..MAX_HIDDEN_LAYERS).find(|&layer| width(layer) != 0) {
            let value = width(layer) as u64;
            return Err(NetworkError::Header {
                field: "width of a layer that is not there",
                value,
                expected: "it is 0",
            });
        }
        let hidden = (0..count).map(width).collect();
        let inputs = inputs.with_attacks(header[31] & ATTACKS != 0);
        let shape =
            Architecture { perspective, hidden, activation, output_buckets, stacks, pairwise, skip, wide, inputs };
        Ok(shape.checked()?)
    }

    /// The layers in a slice that has exactly their length.
    fn read_layers(&self, mut bytes: &[u8]) -> Layers {
        let bytes = &mut bytes;
        match self.architecture.layer_shapes().as_slice() {
            [only] => Layers::Linear(read_layer(*only, bytes)),
            [first, between @ .., last] => {
                let accumulator =
                    if self.narrow { Layer::read_narrow(*first, bytes) } else { read_layer(*first, bytes) };
                let between = between.iter().zip(&self.weight_bits);
                let dense = between.map(|(shape, &bits)| Scaled { layer: read_layer(*shape, bytes), bits });
                let dense: Vec<_> = dense.collect();
                let output = Scaled { layer: read_layer(*last, bytes), bits: self.weight_bits[dense.len()] };
                Layers::Layered(Hidden { accumulator, dense, output })
            }
            [] => unreachable!("every architecture has an output layer"),
        }
    }
}

fn check(is_right: bool, field: &'static str, value: u32, expected: &'static str) -> Result<(), NetworkError> {
    if is_right { Ok(()) } else { Err(NetworkError::Header { field, value: u64::from(value), expected }) }
}

fn check_provenance(bytes: usize) -> Result<(), NetworkError> {
    check(bytes <= MAX_PROVENANCE_BYTES, "length of the provenance", bytes as u32, "at most 1048576")
}

/// Checks everything but the sums.
fn check_parameters(parameters: &Parameters) -> Result<(), NetworkError> {
    let Parameters { architecture, output_scale, layers } = parameters;
    architecture.check_layers(parameters.shapes())?;
    let activation = architecture.activation;
    check(activation.has_integers(), "activation", activation as u32, "only `crelu` and `screlu` have integers")?;
    for bits in parameters.weight_bits() {
        check(WEIGHT_BITS.contains(&bits), "weight scale", bits, "possible are 6 to 12")?;
    }
    let greatest = MAX_OUTPUT_SCALE as u32 * OUTPUT_SCALE_PARTS;
    check((1..=greatest).contains(output_scale), "output scale", *output_scale, "possible is 1 to 16777216")?;
    // The kernels' one demand on the weights themselves: a squared activation's product fits into 16 bits.
    let Layers::Layered(Hidden { output, dense, .. }) = layers else { return Ok(()) };
    let is_squared = dense.is_empty() && activation == Activation::SquaredClippedRelu;
    let limit = max_squared_weight();
    let mut weights = output.layer.weights.iter().map(|&weight| i64::from(weight));
    let beyond = weights.find(|weight| is_squared && weight.abs() > limit);
    beyond.map_or(Ok(()), |value| Err(NetworkError::Weight { value, limit }))
}

/// Why a file is no network, or could not be read or written.
#[derive(Debug, Error)]
pub enum NetworkError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: Box<NetworkError> },
    #[error("no network file: it does not begin with `ALFIERE`")]
    Magic,
    #[error("format version {found}, this program reads versions 1 to {latest}")]
    Version { found: u32, latest: u32 },
    #[error("{found} bytes, the header says {expected}")]
    Length { found: u64, expected: u64 },
    #[error("checksum {found:08x}, the content has {expected:08x}: the file is damaged")]
    Checksum { found: u32, expected: u32 },
    #[error("{field} is {value}, {expected}")]
    Header { field: &'static str, value: u64, expected: &'static str },
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    #[error("provenance: {0}")]
    Provenance(String),
    #[error("output weight {value}, at most ±{limit} is possible")]
    Weight { value: i64, limit: i64 },
}
