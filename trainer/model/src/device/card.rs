//! A graphics card: its memory and its queue of launches.

use std::fmt;

use cubecl::client::Client;
use cubecl::prelude::*;
use cubecl::server::Handle;
use cubecl::{CubeElement, Device};

/// Units of a cube where nothing else decides.
pub(super) const UNITS: u32 = 256;
/// The most cubes in one direction, with every graphics API.
const MAX_CUBES: usize = 1 << 15;

/// A card that computes.
#[derive(Clone)]
pub(crate) struct Card {
    pub(super) client: Client,
}

/// Memory of a card, as numbers of four bytes.
#[derive(Clone)]
pub(super) struct Buffer {
    handle: Handle,
    length: usize,
}

impl Card {
    /// The card of a device of `CubeCL`, tried with a small computation.
    ///
    /// # Errors
    /// If there is none, or its driver fails.
    pub(super) fn open(device: &Device) -> Result<Self, String> {
        let card = Self { client: device.client() };
        let numbers = card.floats(&[1.0, 2.0]);
        if card.read(&numbers) == [1.0, 2.0] { Ok(card) } else { Err("it returns wrong numbers".into()) }
    }

    pub(super) fn floats(&self, numbers: &[f32]) -> Buffer {
        self.send(f32::as_bytes(numbers))
    }

    pub(super) fn words(&self, numbers: &[u32]) -> Buffer {
        self.send(u32::as_bytes(numbers))
    }

    /// Sends 16-bit numbers, two in a word; an even number of them.
    pub(super) fn half_words(&self, numbers: &[u16]) -> Buffer {
        self.send(u16::as_bytes(numbers))
    }

    fn send(&self, bytes: &[u8]) -> Buffer {
        if bytes.is_empty() {
            return self.empty(0);
        }
        Buffer { handle: self.client.create_from_slice(bytes), length: bytes.len() / 4 }
    }

    /// Memory with any content; an empty buffer is of one number.
    pub(super) fn empty(&self, length: usize) -> Buffer {
        let length = length.max(1);
        Buffer { handle: self.client.empty(length * 4), length }
    }

    /// Waits for the launches that came before, and reads numbers back.
    ///
    /// # Panics
    /// If the card fails: what it computed is lost.
    pub(super) fn read(&self, buffer: &Buffer) -> Vec<f32> {
        let bytes =
            self.client.read_one(buffer.handle.clone()).unwrap_or_else(|error| panic!("the card failed: {error}"));
        f32::from_bytes(&bytes)[..buffer.length].to_vec()
    }

    /// What computes.
    pub(crate) fn name(&self) -> String {
        format!("{}, {}", self.client.properties().identity.name, self.client.name())
    }
}

impl Buffer {
    /// The buffer as an argument of a launch.
    pub(super) fn arg(&self) -> BufferArg {
        #[cfg(test)]
        counts::add_argument(self.length);
        #[allow(unsafe_code, reason = "an argument is a handle and a length")]
        // SAFETY: the length is at most that of the memory behind the handle: fields of a buffer are set together.
        unsafe {
            BufferArg::from_raw_parts(self.handle.clone(), self.length)
        }
    }

    /// The first numbers.
    pub(super) fn first(&self, length: usize) -> Self {
        assert!(length <= self.length, "a part of {length} of {} numbers", self.length);
        let rest = (self.length - length) * 4;
        Self { handle: self.handle.clone().offset_end(rest as u64), length }
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }
}

/// The cubes of a launch in each direction. A kernel with more rows than cubes in y loops over its rows.
pub(super) fn cubes(x: usize, y: usize, z: usize) -> CubeCount {
    #[cfg(test)]
    counts::add_launch();
    let [x, y, z] = [x, y, z].map(|count| count.clamp(1, MAX_CUBES) as u32);
    CubeCount::Static(x, y, z)
}

/// Units of a cube whose units compute neighbouring columns.
pub(super) fn column_units(columns: usize) -> u32 {
    columns.next_power_of_two().clamp(32, UNITS as usize) as u32
}

/// At least `count` cubes, numbered by `CUBE_POS`.
pub(super) fn numbered_cubes(count: usize) -> CubeCount {
    let rows = count.div_ceil(MAX_CUBES).max(1);
    cubes(count.div_ceil(rows), rows, 1)
}

impl fmt::Debug for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "card ({})", self.name())
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} numbers", self.length)
    }
}

/// Launches of this thread, and the lengths of their arguments.
#[cfg(test)]
pub(super) mod counts {
    use std::cell::RefCell;

    #[derive(Default)]
    pub(in crate::device) struct Counts {
        pub(in crate::device) launches: usize,
        pub(in crate::device) lengths: Vec<usize>,
    }

    thread_local! {
        static COUNTS: RefCell<Counts> = RefCell::default();
    }

    pub(super) fn add_launch() {
        COUNTS.with_borrow_mut(|counts| counts.launches += 1);
    }

    pub(super) fn add_argument(length: usize) {
        COUNTS.with_borrow_mut(|counts| counts.lengths.push(length));
    }

    /// What was counted since the last call.
    pub(in crate::device) fn take() -> Counts {
        COUNTS.take()
    }
}
