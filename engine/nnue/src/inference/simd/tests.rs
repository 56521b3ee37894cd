//! Every instruction set against the scalar reference, bit for bit, over widths and extreme values.

use proptest::prelude::*;

use super::{DenseWeights, InstructionSet, Kernels};
use crate::inference::chunks::{I8x64, I16x32, I32x16, Rows, U8x64};
use crate::shape::architecture::Activation;
use crate::shape::quantisation::WEIGHT_BITS;

const ACTIVATIONS: [Activation; 2] = [Activation::ClippedRelu, Activation::SquaredClippedRelu];

/// The end of a range of widths in chunks; Miri takes minutes for wide ones.
const fn most(chunks: usize) -> usize {
    if cfg!(miri) { 3 } else { chunks }
}

/// Values around every clip and at the ends of the type, as often as any other.
fn word() -> impl Strategy<Value = i16> {
    let edges = prop::sample::select(vec![i16::MIN, -256, -255, -1, 0, 1, 127, 128, 254, 255, 256, i16::MAX]);
    prop_oneof![edges, any::<i16>(), -300..600_i16]
}

fn words(chunks: usize) -> impl Strategy<Value = Vec<I16x32>> {
    prop::collection::vec(word(), chunks * 32).prop_map(move |values| I16x32::row(values, chunks))
}

/// Activations, many of them zero.
fn bytes(chunks: usize) -> impl Strategy<Value = Vec<U8x64>> {
    let byte = prop_oneof![4 => Just(0_u8), 1 => Just(127), 2 => 0..=127_u8];
    let chunk = prop::collection::vec(byte, 64).prop_map(|values| {
        let mut chunk = U8x64::ZERO;
        chunk.0.copy_from_slice(&values);
        // Whole groups of zeros too.
        if values[0] == 0 {
            chunk.0[16..48].fill(0);
        }
        chunk
    });
    prop::collection::vec(chunk, chunks)
}

/// Sums of a dense layer, below, within and above the clip.
fn sum() -> impl Strategy<Value = i32> {
    prop_oneof![-1_000_000..1_000_000_i32, -20_000..20_000, Just(0)]
}

/// Weights of a dense layer, one after another.
fn weights(seed: u64, is_extreme: bool) -> impl FnMut() -> i8 {
    let mut state = seed | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    move || match (is_extreme, next() % 3) {
        (true, 0) => i8::MIN,
        (true, _) => i8::MAX,
        (false, _) => next() as i8,
    }
}

fn others() -> Vec<Kernels> {
    InstructionSet::available().into_iter().filter_map(Kernels::new).collect()
}

fn scalar() -> Kernels {
    Kernels::new(InstructionSet::Scalar).expect("always there")
}

/// The same weights as words, and what is left of them as bytes.
fn wide_and_narrow(rows: &[Vec<I16x32>]) -> [Rows; 2] {
    [false, true].map(|narrow| Rows::new(rows.concat(), narrow))
}

fn updated<const A: usize, const R: usize>(kernels: Kernels, source: &[I16x32], rows: &Rows) -> Vec<I16x32> {
    let mut target = vec![I16x32::ZERO; source.len()];
    let removed = std::array::from_fn(|index| A + index);
    kernels.update::<A, R>(&mut target, source, rows, std::array::from_fn(|index| index), removed);
    target
}

/// Checks that all kernels compute the same.
fn agree<T: PartialEq + std::fmt::Debug>(computed: impl Fn(Kernels) -> T) -> Result<(), TestCaseError> {
    let expected = computed(scalar());
    for kernels in others() {
        prop_assert_eq!(&computed(kernels), &expected, "{:?}", kernels);
    }
    Ok(())
}

proptest! {
    #[test]
    fn updates(rows in (1..most(20)).prop_flat_map(|chunks| prop::collection::vec(words(chunks), 5))) {
        let source = &rows[0];
        for rows in &wide_and_narrow(&rows[1..]) {
            agree(|kernels| updated::<1, 1>(kernels, source, rows))?;
            agree(|kernels| updated::<1, 2>(kernels, source, rows))?;
            agree(|kernels| updated::<2, 2>(kernels, source, rows))?;
            agree(|kernels| updated::<0, 1>(kernels, source, rows))?;
        }
    }

    #[test]
    fn shifts(
        rows in (1..most(27)).prop_flat_map(|chunks| prop::collection::vec(words(chunks), 6)),
        added in prop::collection::vec(0..5_u16, 0..33),
        removed in prop::collection::vec(0..5_u16, 0..33),
    ) {
        let shifted = |kernels: Kernels, weights: &Rows| {
            let mut target = vec![I16x32([7; 32]); rows[0].len()];
            kernels.shift(&mut target, &rows[0], weights, &added, &removed);
            target
        };
        for weights in &wide_and_narrow(&rows[1..]) {
            agree(|kernels| shifted(kernels, weights))?;
        }
    }

    #[test]
    fn bytes_add_up_as_the_words_that_they_stand_for(
        source in words(3),
        weights in prop::collection::vec(any::<i8>(), 4 * 96),
    ) {
        let rows: Vec<Vec<I16x32>> =
            weights.chunks(96).map(|row| I16x32::row(row.iter().copied().map(i16::from), 3)).collect();
        let [wide, narrow] = wide_and_narrow(&rows);
        for kernels in others() {
            prop_assert_eq!(updated::<2, 2>(kernels, &source, &wide), updated::<2, 2>(kernels, &source, &narrow));
        }
    }

    #[test]
    fn shallow_dots(rows in (1..most(30)).prop_flat_map(|chunks| prop::collection::vec(words(chunks), 3))) {
        // Products of the squared activation fit into 16 bits in every network; here they need not, and still agree.
        for activation in ACTIVATIONS {
            for column in [None, Some(&*rows[1])] {
                agree(|kernels| kernels.shallow_dot(activation, &rows[0], column, &rows[2]))?;
            }
        }
    }

    #[test]
    fn activations(rows in (1..most(15)).prop_flat_map(|chunks| prop::collection::vec(words(2 * chunks), 2))) {
        for activation in ACTIVATIONS {
            for column in [None, Some(&*rows[1])] {
                agree(|kernels| {
                    let mut target = vec![U8x64([9; 64]); rows[0].len() / 2];
                    kernels.activate(activation, &rows[0], column, &mut target);
                    target
                })?;
            }
        }
    }

    #[test]
    fn pairs(rows in (1..most(8)).prop_flat_map(|chunks| prop::collection::vec(words(4 * chunks), 2))) {
        for column in [None, Some(&*rows[1])] {
            agree(|kernels| {
                let mut target = vec![U8x64([9; 64]); rows[0].len() / 4];
                kernels.activate_pairs(&rows[0], column, &mut target);
                target
            })?;
        }
    }

    #[test]
    fn dense_layers(
        input in (1..most(40)).prop_flat_map(bytes),
        blocks in 1..most(20),
        seed in any::<u64>(),
        is_extreme in any::<bool>(),
    ) {
        let mut weight = weights(seed, is_extreme);
        let weights: Vec<I8x64> =
            (0..input.len() * 16 * blocks.max(2)).map(|_| I8x64(std::array::from_fn(|_| weight()))).collect();
        // As many outputs, and the few blocks that have a kernel of their own.
        for blocks in [1, 2, blocks] {
            let weights = &weights[..input.len() * 16 * blocks];
            let bias: Vec<I32x16> = (0..blocks).map(|block| I32x16(std::array::from_fn(|lane| (block * lane) as i32 - 40))).collect();
            agree(|kernels| {
                let mut target = vec![I32x16::ZERO; blocks];
                kernels.dense(&input, DenseWeights { weights, bias: &bias }, &mut target);
                target
            })?;
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "a wide input")]
    fn inputs_that_fill_a_list(input in prop_oneof![bytes(16), bytes(32), Just(vec![U8x64([127; 64]); 16])], seed in any::<u64>()) {
        let mut weight = weights(seed, true);
        let weights: Vec<I8x64> = (0..input.len() * 32).map(|_| I8x64(std::array::from_fn(|_| weight()))).collect();
        for blocks in [1, 2] {
            let layer = DenseWeights { weights: &weights[..input.len() * 16 * blocks], bias: &[I32x16([5; 16]); 2][..blocks] };
            agree(|kernels| {
                let mut target = [I32x16::ZERO; 2];
                kernels.dense(&input, layer, &mut target[..blocks]);
                target
            })?;
        }
    }

    #[test]
    fn both_activations(sums in (1..most(9)).prop_flat_map(|blocks| prop::collection::vec(prop::array::uniform16(sum()), blocks)), bits in WEIGHT_BITS) {
        let sums: Vec<I32x16> = sums.into_iter().map(I32x16).collect();
        agree(|kernels| {
            let mut target = vec![U8x64([9; 64]); sums.len().div_ceil(2)];
            kernels.activate_twice(bits, &sums, &mut target);
            target
        })?;
    }

    #[test]
    fn deep_dots((input, weights) in (1..most(10)).prop_flat_map(|chunks| (bytes(chunks), words(2 * chunks)))) {
        agree(|kernels| kernels.deep_dot(&input, &weights))?;
    }
}

#[test]
fn an_absent_instruction_set_gives_no_kernels() {
    for set in InstructionSet::ALL {
        assert_eq!(Kernels::new(set).is_some(), set.is_available(), "{set}");
    }
    assert!(InstructionSet::available().contains(&InstructionSet::best()));
    assert_eq!(Kernels::best().instruction_set(), InstructionSet::best());
}
