//! Tests with the real binary: the readers of the flat layout give the engine's values, and so do sorted neurons.

#[path = "../../examples/layout.rs"]
mod layout;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::Command;

use alfiere_chess::board::Board;
use alfiere_chess::types::Color;
use alfiere_nnue::Network;
use alfiere_search::fit::StaticEval;

use crate::support::{SAMPLE, argument, dataset, trainer};

/// Positions of the real sample, one in 500.
fn positions() -> Vec<String> {
    let file = File::open(dataset("kaggle/sample.csv.gz")).expect("the sample");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("text");
    let fens = text.lines().skip(1).step_by(500).map(|line| line.split(',').next().expect("a FEN").to_owned());
    fens.filter(|fen| Board::from_fen(fen).is_ok()).collect()
}

/// Lists of our own. King buckets without mirroring: either half of the first two ranks, and the rest. Output buckets: 2 to
/// 12 pieces, 13 to 22, the rest.
const LISTS: &str = "dual [16] outputs=0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2 \
                     kings=0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,1/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2/\
                     2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2";

/// What `alfiere eval` prints for each position.
fn expected(network: &Network, fens: &[String]) -> Vec<String> {
    let mut evaluation = StaticEval::new(network);
    let line = |fen: &String| {
        let board = Board::from_fen(fen).expect("legal");
        let value = evaluation.evaluate(&board);
        let white = if board.side_to_move() == Color::White { value } else { -value };
        format!("evaluation {white:+} centipawns ({value:+} for the side to move)")
    };
    fens.iter().map(line).collect()
}

/// The reader in C; `None` without a C compiler.
fn c_reader(folder: &Path) -> Option<std::path::PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/layout.c");
    let program = folder.join("layout");
    let status = Command::new("cc").args(["-O2", "-o", argument(&program), argument(&source)]).status().ok()?;
    assert!(status.success(), "cc refused {}", source.display());
    Some(program)
}

#[test]
fn readers_in_rust_and_c_give_the_values_of_the_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    let fens = positions();
    assert!(fens.len() >= 150, "{}", fens.len());
    let reader = c_reader(place);
    if reader.is_none() {
        println!("there is no `cc`: the reader in C is not tested");
    }
    for net in ["dual [16]", "dual [24] x8", "dual [16] screlu x8 kings=4", LISTS] {
        let options = ["--data", SAMPLE, "--rows", "6000", "--no-cache", "--epochs", "2", "--batch", "128"];
        trainer(place, &[&["train", "--net", net, "--out", "a.nnue", "--force"][..], &options].concat()).success();
        let run = trainer(place, &["export", "a.nnue", "--layout", "a.flat", "--force"]);
        assert!(run.success().starts_with("wrote a.flat: dual ["), "{}", run.out);
        let network = Network::load(place.join("a.nnue")).expect("a network");
        let expected = expected(&network, &fens);
        let flat = layout::load(&fs::read(place.join("a.flat")).expect("a layout")).expect("a layout");
        for (fen, expected) in fens.iter().zip(&expected) {
            let (value, _) = layout::evaluate(&flat, fen).expect("a FEN");
            assert!(
                expected.ends_with(&format!("({value:+} for the side to move)")),
                "{net} {fen}: {value}, {expected}"
            );
        }
        let values: std::collections::HashSet<&String> = expected.iter().collect();
        assert!(values.len() > 50, "the values differ");
        if let Some(reader) = &reader {
            let output = Command::new(reader).arg(place.join("a.flat")).args(&fens).output().expect("it starts");
            let found = String::from_utf8(output.stdout).expect("UTF-8");
            assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{net}");
        }
    }
}

#[test]
fn other_shapes_and_existing_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let nets = dataset("../nets");
    let export = |name: &str| trainer(folder.path(), &["export", argument(&nets.join(name)), "--layout", "a.flat"]);
    let sentence = export("default.nnue").refusal().to_owned();
    assert!(sentence.contains("has no flat layout; expected `dual [N]`"), "{sentence}");
    assert!(export("perceptron.nnue").refusal().contains("'white [] crelu x1' has no flat layout"));
    assert!(export("none.nnue").refusal().contains("none.nnue: "));
    assert!(!folder.path().join("a.flat").exists());
    fs::write(folder.path().join("a.flat"), "something").expect("written");
    assert!(export("default.nnue").refusal().contains("the file already exists"));
}

#[test]
fn sorted_neurons_give_the_same_values_with_fewer_active_groups() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = dataset("../nets/small.nnue");
    let sort = |network: &Path| {
        let rows = ["--data", SAMPLE, "--rows", "300", "--no-cache", "--out", "sorted.nnue"];
        trainer(folder.path(), &[&["sort-neurons", argument(network)][..], &rows].concat())
    };
    let run = sort(&small);
    let numbers: Vec<f64> = run.success().split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(matches!(numbers[..], [after, before] if 0.0 < after && after < before), "{}", run.out);
    let [before, after] =
        [small, folder.path().join("sorted.nnue")].map(|path| Network::load(path).expect("a network"));
    assert!(before != after);
    assert_eq!(before.provenance().data_fingerprint, after.provenance().data_fingerprint);
    let fens = positions();
    assert_eq!(expected(&before, &fens), expected(&after, &fens));
    assert!(sort(&dataset("../nets/perceptron.nnue")).refusal().contains("already exists"));
    fs::remove_file(folder.path().join("sorted.nnue")).expect("it is there");
    assert!(sort(&dataset("../nets/perceptron.nnue")).refusal().contains("has no layers after the accumulator"));
}
