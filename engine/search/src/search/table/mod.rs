//! The transposition table: what earlier searches found out about a position.
//!
//! Shared by all threads without locks. A cluster is half a cache line: three entries of 64 bits, and one word with a
//! 16-bit check for each, the position's key mixed with the entry's own bits. A torn or foreign write therefore
//! reads as a miss. In rare cases an entry belongs to another position, so callers check that its move is legal.

mod entry;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64};

use alfiere_chess::types::Move;
use bytemuck::Zeroable;
use bytemuck::allocation::{try_zeroed_slice_box, zeroed_slice_box};

use crate::platform::{available_mebibytes, prefetch};
use crate::search::score::{Score, ScoreKind};

pub(crate) use entry::{Bound, Entry};

const ENTRIES: usize = 3;
const CLUSTER_BYTES: usize = 32;
const CLUSTERS_PER_MIB: usize = 1024 * 1024 / CLUSTER_BYTES;
/// The smallest unit in which systems provide memory.
const PAGE_BYTES: usize = 4096;
/// MiB that the table leaves to the rest of the program when memory is short. None in WebAssembly, where memory once allocated is
/// never returned to the system.
const SPARE_MIB: usize = if cfg!(target_family = "wasm") { 0 } else { 128 };
/// Replacement: an entry's depth counts this many plies less for each search since it was stored.
const AGE_WEIGHT: i32 = 4;

#[repr(align(32))]
struct Cluster {
    data: [AtomicU64; ENTRIES],
    checks: AtomicU64,
}

// SAFETY: all fields are integers, for which zero is a value.
#[allow(unsafe_code, reason = "a table of zeros that is not written")]
unsafe impl Zeroable for Cluster {}

impl Cluster {
    fn clear(&self) {
        self.checks.store(0, Relaxed);
        self.data.iter().for_each(|word| word.store(0, Relaxed));
    }
}

/// What the searches with a table have found out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownScore {
    /// Plies it was searched to; 0 for quiescence.
    pub depth: u32,
    /// Its score for the side to move; mates and tablebase wins count from this position.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub kind: ScoreKind,
    /// The best move, if one is known.
    pub best: Option<Move>,
}

/// The shared table.
pub struct Table {
    clusters: Box<[Cluster]>,
    generation: AtomicU8,
}

/// What became of a request for a table size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// MiB that were asked for.
    pub requested: usize,
    /// MiB that were obtained: fewer if memory was short.
    pub obtained: usize,
}

impl Table {
    /// The smallest table, in MiB.
    pub const MIN_MIB: usize = 1;
    /// The largest table, in MiB: with addresses of 32 bits, half of what one allocation can have.
    pub const MAX_MIB: usize = if usize::BITS > 32 { 1 << 25 } else { 1 << 10 };

    /// A table of this size in MiB, or of half, a quarter ... of it if memory is short.
    ///
    /// A table of the requested size is written to at once, so that no search waits for the system to provide its pages. A smaller
    /// table is not: it may take most of the memory, and filling that can take a minute.
    pub fn new(mebibytes: usize) -> (Self, Allocation) {
        let requested = mebibytes.clamp(Self::MIN_MIB, Self::MAX_MIB);
        let mut obtained = requested;
        // A system may promise memory that it does not have, and end the program that uses it.
        let available = available_mebibytes().unwrap_or(usize::MAX);
        while obtained > available.max(Self::MIN_MIB) {
            obtained /= 2;
        }
        let clusters = loop {
            match zeroed(obtained) {
                Some(clusters) => break clusters,
                None if obtained > Self::MIN_MIB => obtained /= 2,
                None => break zeroed_slice_box(Self::MIN_MIB * CLUSTERS_PER_MIB),
            }
        };
        if obtained == requested {
            clusters.iter().step_by(PAGE_BYTES / CLUSTER_BYTES).for_each(Cluster::clear);
        }
        (Self { clusters, generation: AtomicU8::new(0) }, Allocation { requested, obtained })
    }

    /// Clears the table with this number of threads.
    pub fn clear(&self, threads: usize) {
        let share = self.clusters.len().div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            let mut parts = self.clusters.chunks(share);
            let own = parts.next();
            for part in parts {
                let clear = || part.iter().for_each(Cluster::clear);
                // A system that is out of threads leaves the work to this one.
                if std::thread::Builder::new().spawn_scoped(scope, clear).is_err() {
                    clear();
                }
            }
            own.into_iter().flatten().for_each(Cluster::clear);
        });
        self.generation.store(0, Relaxed);
    }

    /// Marks the start of a search: entries of earlier searches are replaced first.
    pub fn start_search(&self) {
        self.generation.store((self.generation() + 1) & Entry::AGE_MASK, Relaxed);
    }

    /// How much of the table the current search has filled, in thousandths, from a sample.
    pub fn permille_full(&self) -> usize {
        let sample = &self.clusters[..1000.min(self.clusters.len())];
        let current = self.generation();
        let filled = |word: &AtomicU64| Entry::unpack(word.load(Relaxed)).is_some_and(|entry| entry.age() == current);
        let count: usize = sample.iter().map(|cluster| cluster.data.iter().filter(|word| filled(word)).count()).sum();
        count * 1000 / (sample.len() * ENTRIES)
    }

    /// What is known about the position with this key; `None` also if that is only its static evaluation.
    ///
    /// One in about 20,000 answers belongs to another position.
    pub fn known_score(&self, key: u64) -> Option<KnownScore> {
        let entry = self.probe(key)?;
        let kind = match entry.bound() {
            Bound::Unknown => return None,
            Bound::Upper => ScoreKind::UpperBound,
            Bound::Lower => ScoreKind::LowerBound,
            Bound::Exact => ScoreKind::Exact,
        };
        Some(KnownScore { depth: entry.depth().get() as u32, score: entry.score(0), kind, best: entry.mv() })
    }

    /// Starts loading the entries of a position that will be looked up soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    // ANCHOR: probe
    /// What is known about the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let cluster = self.cluster(key);
        let checks = cluster.checks.load(Relaxed);
        (0..ENTRIES).find_map(|slot| {
            let data = cluster.data[slot].load(Relaxed);
            if checks_match(checks, slot, key, data) { Entry::unpack(data) } else { None }
        })
    }
    // ANCHOR_END: probe

    /// Stores an entry in place of the same position's, or of the entry with the lowest depth, less [`AGE_WEIGHT`] for its age.
    pub(crate) fn store(&self, key: u64, entry: Entry) {
        let cluster = self.cluster(key);
        let generation = self.generation();
        let mut entry = entry.with_age(generation);
        let checks = cluster.checks.load(Relaxed);

        let mut victim = 0;
        let mut lowest = i32::MAX;
        for slot in 0..ENTRIES {
            let data = cluster.data[slot].load(Relaxed);
            let Some(old) = Entry::unpack(data) else {
                // Empty: nothing to lose. Later slots cannot hold this position's entry.
                victim = slot;
                break;
            };
            if checks_match(checks, slot, key, data) {
                if !entry.supersedes(old) {
                    return;
                }
                entry = entry.or_move(old.mv());
                victim = slot;
                break;
            }
            let priority =
                old.depth().get() - AGE_WEIGHT * i32::from(generation.wrapping_sub(old.age()) & Entry::AGE_MASK);
            if priority < lowest {
                lowest = priority;
                victim = slot;
            }
        }

        let data = entry.pack();
        let shift = 16 * victim;
        let check = u64::from(check_of(key, data)) << shift;
        cluster.data[victim].store(data, Relaxed);
        cluster.checks.store(checks & !(0xFFFF << shift) | check, Relaxed);
    }

    fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }

    /// The high bits choose the cluster, the low ones make the check.
    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters[((u128::from(key) * self.clusters.len() as u128) >> 64) as usize]
    }
}

/// Empty clusters of this size in MiB; `None` if that leaves no reserve for thread stacks and histories.
fn zeroed(mebibytes: usize) -> Option<Box<[Cluster]>> {
    let clusters = try_zeroed_slice_box(mebibytes * CLUSTERS_PER_MIB).ok()?;
    // Hidden from the optimiser, which removes unused allocations.
    let mut spare = std::hint::black_box(Vec::<Cluster>::new());
    let has_spare = mebibytes == Table::MIN_MIB
        || spare.try_reserve_exact(SPARE_MIB * CLUSTERS_PER_MIB).is_ok() && std::hint::black_box(spare).is_empty();
    has_spare.then_some(clusters)
}

// ANCHOR: check
/// The key's low bits, mixed with the entry's so that halves of two writes do not fit together.
#[inline]
fn check_of(key: u64, data: u64) -> u16 {
    let folded = data ^ data >> 32;
    key as u16 ^ (folded ^ folded >> 16) as u16
}
// ANCHOR_END: check

#[inline]
fn checks_match(checks: u64, slot: usize, key: u64, data: u64) -> bool {
    (checks >> (16 * slot)) as u16 == check_of(key, data)
}

#[cfg(test)]
mod tests {
    use alfiere_chess::types::{MoveKind, Square};

    use super::*;
    use crate::search::score::Depth;

    fn entry(depth: i32, bound: Bound, mv: Option<Move>) -> Entry {
        Entry::new(Depth::plies(depth), bound, Score::evaluation(12), 0, mv, Some(Score::evaluation(-7)))
    }

    fn some_move() -> Move {
        Move::new(Square::E2, Square::E4, MoveKind::DoublePush)
    }

    #[test]
    fn what_was_stored_is_found() {
        let (table, allocation) = Table::new(1);
        assert_eq!(allocation, Allocation { requested: 1, obtained: 1 });
        let key = 0x1234_5678_9ABC_DEF0;
        assert!(table.probe(key).is_none());
        table.store(key, entry(5, Bound::Exact, Some(some_move())));
        let found = table.probe(key).expect("just stored");
        assert_eq!(found.mv(), Some(some_move()));
        assert_eq!(found.depth(), Depth::plies(5));
        assert_eq!(found.score(0), Score::evaluation(12));
        assert_eq!(found.static_eval(), Some(Score::evaluation(-7)));
        let score = Score::evaluation(12);
        let known = KnownScore { depth: 5, score, kind: ScoreKind::Exact, best: Some(some_move()) };
        assert_eq!(table.known_score(key), Some(known));
        table.store(key ^ 2, Entry::evaluation(score, false));
        assert_eq!(table.known_score(key ^ 2), None, "only evaluated");
        assert!(table.probe(key ^ 1).is_none());
        table.clear(2);
        assert!(table.probe(key).is_none());
    }

    #[test]
    fn a_known_move_outlives_an_entry_without_one() {
        let (table, _) = Table::new(1);
        table.store(77, entry(3, Bound::Lower, Some(some_move())));
        table.store(77, entry(4, Bound::Upper, None));
        assert_eq!(table.probe(77).and_then(Entry::mv), Some(some_move()));
    }

    #[test]
    fn deep_entries_of_this_search_stay_and_old_ones_go() {
        let (table, _) = Table::new(1);
        // Same cluster, different checks.
        let keys: Vec<u64> = (1..=4).collect();
        for &key in &keys[..3] {
            table.store(key, entry(10 + key as i32, Bound::Exact, None));
        }
        table.store(keys[3], entry(1, Bound::Exact, None));
        assert!(table.probe(keys[0]).is_none(), "the shallowest was replaced");
        assert!(table.probe(keys[2]).is_some());
        for _ in 0..6 {
            table.start_search();
        }
        table.store(keys[1], entry(12, Bound::Exact, None));
        table.store(keys[0], entry(1, Bound::Exact, None));
        table.store(keys[0] + 8, entry(1, Bound::Exact, None));
        assert!(table.probe(keys[1]).is_some(), "refreshed in this search");
        assert!(table.probe(keys[2]).is_none(), "old");
    }

    #[test]
    fn threads_that_write_the_same_clusters_read_whole_entries() {
        const KEYS: u64 = 7;
        let (table, _) = Table::new(1);
        // An entry's depth says which key it belongs to.
        let worker = &|thread: u64| {
            let (mut found, mut foreign) = (0, 0);
            for round in 0..20_000 {
                let number = 1 + (round + thread) % KEYS;
                table.store(number << 8, entry(number as i32, Bound::Exact, None));
                let other = 1 + (round + 3 * thread) % KEYS;
                if let Some(entry) = table.probe(other << 8) {
                    found += 1;
                    foreign += u32::from(entry.depth() != Depth::plies(other as i32));
                }
            }
            (found, foreign)
        };
        let counts: Vec<(u32, u32)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || worker(thread))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let found: u32 = counts.iter().map(|count| count.0).sum();
        let foreign: u32 = counts.iter().map(|count| count.1).sum();
        // A check of 16 bits lets one torn entry in 65,536 pass.
        assert!(found > 1_000 && foreign <= 10, "{foreign} of {found}");
    }

    #[test]
    fn an_impossible_size_gives_a_smaller_table() {
        assert_eq!(Table::new(0).1, Allocation { requested: 1, obtained: 1 });
        // Linux says how much memory is free.
        if cfg!(target_os = "linux") {
            let Allocation { requested, obtained } = Table::new(Table::MAX_MIB).1;
            assert!(requested == Table::MAX_MIB && obtained < requested, "{obtained}");
        }
    }
}
