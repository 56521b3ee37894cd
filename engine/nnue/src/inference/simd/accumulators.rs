//! What the vector kernels do with accumulators, written once for all instruction sets.
//!
//! A chunk is `PARTS` vectors. The module that invokes [`accumulator_kernels`] names their types and defines `load_i16`,
//! `load_weights`, `store_i16` and `store_bytes` for one of them; the operations stand in the invocation:
//!
//! - on 16-bit numbers `zero`, `add`, `subtract`, `multiply`, and `clip` to 0 to 255
//! - on 32-bit sums `zero_sums`, `add_sums`, `add_products` (`sums + a * b`), `sum_of_lanes`
//! - activations as words of at most 127: `scaled` and `squared` of a clipped value; `paired`, whose second factor is not
//!   clipped

macro_rules! accumulator_kernels {
    (
        #[$features:meta]
        $($(#[$comment:meta])* fn $operation:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*
    ) => {
        $(
            $(#[$comment])*
            #[$features]
            #[inline]
            fn $operation($($argument: $type),*) -> $result $body
        )*

        /// Independent chains of sums: an addition waits for the one before it.
        const CHAINS: usize = if PARTS < 2 { 2 } else { PARTS };

        #[$features]
        #[inline]
        fn sum_of_chains(sums: [Sums; CHAINS]) -> i32 {
            let mut total = sums[0];
            for &sum in &sums[1..] {
                total = add_sums(total, sum);
            }
            sum_of_lanes(total)
        }

        #[$features]
        pub(super) fn update<W: WeightChunk, const A: usize, const R: usize>(
            target: &mut [I16x32],
            source: &[I16x32],
            added: [&[W]; A],
            removed: [&[W]; R],
        ) {
            let length = target.len();
            let source = &source[..length];
            let added = added.map(|row| &row[..length]);
            let removed = removed.map(|row| &row[..length]);
            for index in 0..length {
                for part in 0..PARTS {
                    let mut sum = load_i16(&source[index], part);
                    for row in added {
                        sum = add(sum, load_weights(&row[index], part));
                    }
                    for row in removed {
                        sum = subtract(sum, load_weights(&row[index], part));
                    }
                    store_i16(&mut target[index], part, sum);
                }
            }
        }

        #[$features]
        pub(super) fn shift<W: WeightChunk>(
            target: &mut [I16x32],
            source: &[I16x32],
            weights: &[W],
            added: &[u16],
            removed: &[u16],
        ) {
            let length = target.len();
            let mut start = 0;
            while start + TILE <= length {
                shift_tile::<W, TILE>(target, source, weights, added, removed, start);
                start += TILE;
            }
            while start < length {
                shift_tile::<W, 1>(target, source, weights, added, removed, start);
                start += 1;
            }
        }

        #[$features]
        #[inline]
        fn shift_tile<W: WeightChunk, const N: usize>(
            target: &mut [I16x32],
            source: &[I16x32],
            weights: &[W],
            added: &[u16],
            removed: &[u16],
            start: usize,
        ) {
            let length = target.len();
            let mut sums = [[zero(); PARTS]; N];
            for (sums, before) in sums.iter_mut().zip(&source[start..][..N]) {
                for part in 0..PARTS {
                    sums[part] = load_i16(before, part);
                }
            }
            for &feature in added {
                let row = &weights[usize::from(feature) * length + start..][..N];
                for (sums, row) in sums.iter_mut().zip(row) {
                    for part in 0..PARTS {
                        sums[part] = add(sums[part], load_weights(row, part));
                    }
                }
            }
            for &feature in removed {
                let row = &weights[usize::from(feature) * length + start..][..N];
                for (sums, row) in sums.iter_mut().zip(row) {
                    for part in 0..PARTS {
                        sums[part] = subtract(sums[part], load_weights(row, part));
                    }
                }
            }
            for (target, sums) in target[start..][..N].iter_mut().zip(&sums) {
                for part in 0..PARTS {
                    store_i16(target, part, sums[part]);
                }
            }
        }

        /// `accumulator + column`, one part of a chunk.
        #[$features]
        #[inline]
        fn sum<C: Column>(accumulator: &[I16x32], column: C, chunk: usize, part: usize) -> Vector {
            let value = load_i16(&accumulator[chunk], part);
            match column.chunk(chunk) {
                Some(column) => add(value, load_i16(column, part)),
                None => value,
            }
        }

        #[$features]
        pub(super) fn clipped_dot<C: Column>(accumulator: &[I16x32], column: C, weights: &[I16x32]) -> i32 {
            dot(accumulator, column, weights, |sums, value, weights| add_products(sums, value, weights))
        }

        #[$features]
        pub(super) fn squared_dot<C: Column>(accumulator: &[I16x32], column: C, weights: &[I16x32]) -> i32 {
            dot(accumulator, column, weights, |sums, value, weights| add_products(sums, multiply(value, weights), value))
        }

        #[$features]
        #[inline]
        fn dot<C: Column>(
            accumulator: &[I16x32],
            column: C,
            weights: &[I16x32],
            add_to: impl Fn(Sums, Vector, Vector) -> Sums,
        ) -> i32 {
            let (accumulator, column) = (&accumulator[..weights.len()], column.part(0..weights.len()));
            let mut sums = [zero_sums(); CHAINS];
            for (index, weights) in weights.iter().enumerate() {
                for part in 0..PARTS {
                    let chain = (PARTS * index + part) % CHAINS;
                    let value = clip(sum(accumulator, column, index, part));
                    sums[chain] = add_to(sums[chain], value, load_i16(weights, part));
                }
            }
            sum_of_chains(sums)
        }

        #[$features]
        pub(super) fn activate_clipped<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
            activate(accumulator, column, target, |value| scaled(value));
        }

        #[$features]
        pub(super) fn activate_squared<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
            activate(accumulator, column, target, |value| squared(value));
        }

        #[$features]
        #[inline]
        fn activate<C: Column>(
            accumulator: &[I16x32],
            column: C,
            target: &mut [U8x64],
            activation: impl Fn(Vector) -> Vector,
        ) {
            let length = 2 * target.len();
            let (accumulator, column) = (&accumulator[..length], column.part(0..length));
            for (index, target) in target.iter_mut().enumerate() {
                for part in 0..PARTS {
                    let words = [2 * part, 2 * part + 1]
                        .map(|word| activation(clip(sum(accumulator, column, 2 * index + word / PARTS, word % PARTS))));
                    store_bytes(target, part, words);
                }
            }
        }

        #[$features]
        pub(super) fn activate_pairs<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
            let half = 2 * target.len();
            let [first, second] = [0..half, half..2 * half].map(|part| (&accumulator[part.clone()], column.part(part)));
            for (index, target) in target.iter_mut().enumerate() {
                for part in 0..PARTS {
                    let words = [2 * part, 2 * part + 1].map(|word| {
                        let (chunk, part) = (2 * index + word / PARTS, word % PARTS);
                        paired(clip(sum(first.0, first.1, chunk, part)), sum(second.0, second.1, chunk, part))
                    });
                    store_bytes(target, part, words);
                }
            }
        }
    };
}
pub(super) use accumulator_kernels;
