//! One part of a job that is split between several machines.

use std::fmt;
use std::ops::Range;

/// One of `count` parts of a job, written `2/5`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Index of the part, from 0.
    pub const fn index(self) -> usize {
        self.index
    }

    pub const fn count(self) -> usize {
        self.count
    }

    pub const fn is_first(self) -> bool {
        self.index == 0
    }

    /// True if `task` belongs to this part when tasks are dealt out in turn: `task % count == index`.
    pub const fn takes(self, task: usize) -> bool {
        task % self.count == self.index
    }

    /// The contiguous range that belongs to this part when `tasks` are split into `count` blocks.
    pub const fn block(self, tasks: usize) -> Range<usize> {
        self.start(self.index, tasks)..self.start(self.index + 1, tasks)
    }

    const fn start(self, index: usize, tasks: usize) -> usize {
        (tasks as u128 * index as u128 / self.count as u128) as usize
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.index + 1, self.count)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    /// Reads `2/5`: the second of five parts.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index: index - 1, count }),
            _ => Err(format!("shard `{text}`; expected I/N with I from 1 to N, as in 2/5")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_tasks_in_order() {
        for (tasks, count) in [(0, 3), (2, 3), (10, 3), (10, 10), (1_000, 7)] {
            let blocks = (1..=count).map(|index| format!("{index}/{count}").parse::<Shard>().expect("a shard"));
            let blocks: Vec<_> = blocks.map(|shard| shard.block(tasks)).collect();
            assert_eq!(blocks.iter().cloned().flatten().collect::<Vec<_>>(), (0..tasks).collect::<Vec<_>>());
            let lengths = blocks.iter().map(ExactSizeIterator::len);
            assert!(lengths.clone().max().expect("blocks") - lengths.min().expect("blocks") <= 1);
        }
        assert_eq!(Shard::WHOLE.block(5), 0..5);
        assert_eq!("2/5".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/5".to_owned()));
    }

    #[test]
    fn invalid_parts_are_rejected() {
        for text in ["0/3", "4/3", "2", "a/b", "1/0", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
