//! The file: what goes in comes out, and what is damaged is refused.

use proptest::prelude::*;

use super::{ARCHITECTURES, half_map, piece_list, random_network, random_parameters};
use crate::parameters::{Layers, Parameters};
use crate::{Activation, Network, NetworkError, Provenance};

fn small() -> Network {
    let provenance = Provenance::note("a test").with_metric("r2", 0.5).with_metric("none", f64::NAN);
    let parameters = Parameters { output_scale: 123 * 256 + 64, ..random_parameters("white [2,1] crelu x1", 3) };
    Network::from_parameters(parameters, provenance).expect("small weights")
}

fn error_of(bytes: &[u8]) -> NetworkError {
    Network::from_bytes(bytes).expect_err("must be refused")
}

/// Bytes with a checksum that fits them, to reach what lies behind it.
fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let content = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..content]);
    bytes[content..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn every_architecture_survives_the_file() {
    for (seed, text) in ARCHITECTURES.into_iter().enumerate() {
        let network = random_network(text, seed as u64);
        let bytes = network.to_bytes();
        let read = Network::from_bytes(&bytes).expect(text);
        assert!(read == network, "{text}");
        assert_eq!(read.to_bytes(), bytes, "{text}");
    }
    let read = Network::from_bytes(&small().to_bytes()).expect("whole");
    assert_eq!(read.provenance().metrics["r2"], 0.5);
    assert_eq!(read.provenance().free["note"], "a test");
    assert!((read.output_scale() - 123.25).abs() < 1e-6);
}

#[test]
fn every_cut_is_refused() {
    let bytes = small().to_bytes();
    for length in 0..bytes.len() {
        let error = error_of(&bytes[..length]);
        assert!(matches!(error, NetworkError::Length { .. }), "{length} bytes: {error}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(matches!(error_of(&longer), NetworkError::Length { .. }));
}

#[test]
fn no_more_of_a_file_is_read_than_its_header_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.nnue");
    let bytes = small().to_bytes();
    std::fs::write(&path, &bytes).expect("written");
    assert!(Network::load(&path).expect("whole") == small());
    // Holes take no room on the disk, but would in memory.
    let file = std::fs::OpenOptions::new().append(true).open(&path).expect("opened");
    file.set_len(1 << 40).expect("a file with holes");
    let error = Network::load(&path).expect_err("too long").to_string();
    let expected = format!("{} bytes, the header says {}", bytes.len() + 1, bytes.len());
    assert!(error.contains(&expected), "{error}");
    std::fs::write(&path, &bytes[..20]).expect("written");
    assert!(Network::load(&path).expect_err("cut").to_string().contains("20 bytes, the header says 40"));
}

#[test]
fn every_flipped_bit_is_refused() {
    let mut bytes = small().to_bytes();
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        error_of(&bytes);
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    Network::from_bytes(&bytes).expect("whole again");
}

#[test]
fn the_reason_is_given() {
    let bytes = small().to_bytes();
    let changed = |offset: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[offset] = value;
        with_checksum(bytes)
    };
    for (offset, value, reason) in [
        (0, b'B', "no network file"),
        (8, 3, "format version 3, this program reads versions 1 to 2"),
        (12, 1, "the header says"),
        (12, 2, "perspective is 2"),
        (12, 130, "perspective is 130"),
        (13, 7, "activation is 7"),
        (13, 128, "the header says"),
        (13, 130, "activation is 130"),
        (14, 2, "output buckets is 2"),
        (14, 129, "`stacks` need"),
        (15, 6, "6 hidden layers"),
        (17, 0xFF, "has 65282 neurons"),
        (16, 0, "has 0 neurons"),
        (16, 3, "the header says"),
        (21, 1, "width of a layer that is not there"),
        (26, 13, "weight scale is 13"),
        (28, 6, "without meaning"),
        (31, 1, "need the perspective `dual`"),
        (31, 3, "king buckets is 3"),
        (35, 0xFF, "output scale"),
        (39, 0xFF, "length of the provenance"),
        (40, b'x', "provenance: "),
    ] {
        let message = error_of(&changed(offset, value)).to_string();
        assert!(message.contains(reason), "byte {offset}: {message}");
    }
    let last = bytes.len() - 1;
    assert!(matches!(error_of(&[&bytes[..last], &[!bytes[last]]].concat()), NetworkError::Checksum { .. }));
}

#[test]
fn king_buckets_stand_in_the_header_and_must_fit_the_weights() {
    let bytes = random_network("dual [3] crelu x1 kings=4", 5).to_bytes();
    assert_eq!(bytes[31], 4);
    for (buckets, reason) in
        [(0, "the header says"), (2, "the header says"), (8, "the header says"), (5, "king buckets")]
    {
        let mut changed = bytes.clone();
        changed[31] = buckets;
        let message = error_of(&with_checksum(changed)).to_string();
        assert!(message.contains(reason), "{buckets}: {message}");
    }
    let bytes = random_network("dual [3] crelu x1 kings=4 attacks", 5).to_bytes();
    assert_eq!(bytes[31], 128 + 4);
    for length in (0..bytes.len()).step_by(101) {
        assert!(matches!(error_of(&bytes[..length]), NetworkError::Length { .. }), "{length}");
    }
}

#[test]
fn lists_of_buckets_stand_behind_the_header_and_agree_with_it() {
    let text = concat!("dual [8,8] crelu outputs=", piece_list!(), " stacks kings=", half_map!());
    let network = random_network(text, 6);
    let bytes = network.to_bytes();
    assert_eq!((bytes[8], bytes[14], bytes[31], bytes[104]), (2, 128 + 3, 3, 1));
    assert_eq!((bytes[40], bytes[41], bytes[40 + 8], bytes[105 + 30]), (2, 0, 1, 2));
    assert_eq!(Network::from_bytes(&bytes).expect("whole").architecture().to_string(), text);
    for length in (0..bytes.len()).step_by(31) {
        assert!(matches!(error_of(&bytes[..length]), NetworkError::Length { .. }), "{length}");
    }
    for (offset, value, reason) in [
        (31, 2, "king buckets is 2, the list of squares has others"),
        (14, 4, "output buckets is 4, the list of pieces has others"),
        (40, 0, "king buckets is 3, the list"),
        (47, 0, "king buckets is 3, the list"),
        (104, 2, "mirroring is 2, possible are 0 and 1"),
        (105, 9, "output buckets is 3, the list"),
    ] {
        let mut changed = bytes.clone();
        changed[offset] = value;
        let result = Network::from_bytes(&with_checksum(changed));
        let message = result.map(|read| read.architecture().to_string()).expect_err("refused").to_string();
        assert!(message.contains(reason), "{offset}: {message}");
    }
    let mut built_in = bytes;
    built_in[14] = 128 + 8;
    built_in[31] = 1;
    built_in[40..104].fill(0);
    (2..=32).for_each(|pieces| built_in[103 + pieces] = (pieces as u8 - 1) / 4);
    let message = error_of(&with_checksum(built_in)).to_string();
    assert!(message.contains("format version is 2, its buckets are built in"), "{message}");
}

#[test]
fn weights_are_bytes_where_all_of_them_fit() {
    let narrow = random_network("dual [8,4] crelu x1", 7);
    let bytes = narrow.to_bytes();
    assert_eq!(bytes[12], 128);
    let mut parameters = narrow.parameters().clone();
    let Layers::Layered(hidden) = &mut parameters.layers else { panic!("two hidden layers") };
    hidden.accumulator.weights[[0, 5]] = 128;
    let words = Network::from_parameters(parameters, Provenance::default()).expect("in range");
    assert_eq!((words.to_bytes()[12], words.to_bytes().len()), (0, bytes.len() + 769 * 8));
    assert!(Network::from_bytes(&words.to_bytes()).expect("whole") == words);

    let mut linear = random_network("dual [] crelu x1", 1).to_bytes();
    linear[12] |= 128;
    let message = error_of(&with_checksum(linear)).to_string();
    assert!(message.contains("perspective is 128, bytes need a hidden layer"), "{message}");
}

#[test]
fn a_weight_that_the_kernels_cannot_multiply_is_refused() {
    let bytes = random_network("white [1] screlu x1", 1).to_bytes();
    let weight = bytes.len() - 4 - 4 - 2;
    let mut changed = bytes;
    changed[weight..weight + 2].copy_from_slice(&129_i16.to_le_bytes());
    assert!(matches!(error_of(&with_checksum(changed)), NetworkError::Weight { value: 129, limit: 128 }));
}

#[test]
fn integers_of_other_shapes_and_scales_are_refused() {
    let refused = |change: fn(&mut Parameters), provenance: &str, reason: &str| {
        let mut parameters = random_parameters("dual [8,4] crelu x1", 1);
        change(&mut parameters);
        let message = Network::from_parameters(parameters, Provenance::note(provenance)).expect_err(reason).to_string();
        assert!(message.contains(reason), "{message}");
    };
    refused(|integers| integers.architecture.hidden[1] = 5, "", "[16, 4, 4], [4, 1, 1]] inputs, outputs and biases");
    refused(|integers| integers.architecture.hidden = vec![8], "", "the architecture has [[769, 8, 8], [16, 1, 1]]");
    refused(|integers| integers.architecture.hidden[0] = 0, "", "hidden layer 1 has 0 neurons");
    refused(|integers| integers.architecture.activation = Activation::Tanh, "", "only `crelu` and `screlu`");
    refused(|integers| integers.output_scale = 0, "", "output scale is 0");
    refused(|_| (), &"x".repeat(2 << 20), "length of the provenance");
}

#[test]
fn saving_replaces_and_failing_leaves_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.nnue");
    let network = small();
    network.save(&path).expect("first");
    network.save(&path).expect("over the first");
    assert!(Network::load(&path).expect("readable") == network);
    assert_eq!(std::fs::read_dir(folder.path()).expect("listing").count(), 1);

    let nowhere = folder.path().join("none").join("a.nnue");
    assert!(matches!(network.save(&nowhere), Err(NetworkError::Io { .. })));
    assert!(Network::load(&nowhere).expect_err("not there").to_string().contains("a.nnue"));
    std::fs::write(&path, b"ALFIERE").expect("writable");
    let message = Network::load(&path).expect_err("cut").to_string();
    assert!(message.contains("a.nnue: 7 bytes, the header says 40"), "{message}");
    // A folder stands where the file should go: the rename fails, and nothing is left beside it.
    let taken = folder.path().join("taken");
    std::fs::create_dir_all(taken.join("full")).expect("a folder");
    assert!(network.save(&taken).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).expect("listing").count(), 2);
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Network::from_bytes(&bytes).is_err());
    }

    #[test]
    fn random_headers_never_panic(tail in proptest::collection::vec(any::<u8>(), 0..100), places in
        proptest::collection::vec((8_usize..40, any::<u8>()), 0..4)) {
        let mut bytes = small().to_bytes();
        let content = bytes.len() - 4;
        bytes.truncate(content);
        bytes.extend(tail);
        bytes.extend([0; 4]);
        for (place, value) in places {
            bytes[place] = value;
        }
        // Whatever is read must be what is written.
        let bytes = with_checksum(bytes);
        if let Ok(network) = Network::from_bytes(&bytes) {
            prop_assert_eq!(network.to_bytes(), bytes);
        }
    }
}
