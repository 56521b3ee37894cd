//! File names that are not UTF-8.
#![cfg(unix)]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::gui::Gui;
use crate::{command, data};

#[test]
fn names_need_not_be_utf_8() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names").join(OsStr::from_bytes(b"a \xE9"));
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(folder.join("tables")).unwrap();
    let copy = |source: &str, name: &[u8]| {
        let path = folder.join(OsStr::from_bytes(name));
        fs::copy(data(source), &path).unwrap();
        path.into_os_string()
    };
    let net = copy("nets/beam.nnue", b"\xE9.nnue");
    let book = copy("books/small.bin", b"\xE9.bin");
    copy("datasets/syzygy/KQvK.rtbw", b"tables/KQvK.rtbw");
    let tables = folder.join("tables").into_os_string();
    let games = copy("datasets/games/miniatures.pgn", b"\xE9.pgn");
    let openings = copy("datasets/openings/8moves_v3_200.pgn", b"\xE9 8.pgn");
    let rated = folder.join(OsStr::from_bytes(b"\xE9 rated.pgn")).into_os_string();
    let game = |white, black| format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n");
    fs::write(&rated, game("a", "b") + &game("b", "a")).unwrap();
    let suite = folder.join(OsStr::from_bytes(b"\xE9.epd"));
    fs::write(&suite, "\u{feff}k7/8/1K6/8/8/8/8/6Q1 w - - bm Qg8#;\n").unwrap();
    let text = |parts: &[&OsStr]| parts.iter().copied().collect::<OsString>();

    let mut gui = Gui::start();
    for (name, value) in [("EvalFile", &net), ("Book File", &book), ("SyzygyPath", &tables)] {
        let line = text(&[format!("setoption name {name} value ").as_ref(), value, "\n".as_ref()]);
        gui.say_bytes(line.as_bytes()).unwrap();
    }
    let notes = gui.ask("");
    assert!(notes.len() == 3 && notes[0].contains("network white"), "{notes:?}");
    assert!(notes[1].contains("book of ") && notes[2].contains("SyzygyPath: 1 table "), "{notes:?}");

    let own = text(&["alfiere 'net=".as_ref(), &net, "'".as_ref()]);
    let out = folder.join(OsStr::from_bytes(b"\xE9.json")).into_os_string();
    for (words, files) in [
        ("suite --depth 2 --json", &[&out, suite.as_os_str(), "--net".as_ref(), &net][..]),
        ("suite --depth 2", &[suite.as_os_str(), "--engine".as_ref(), &own]),
        ("match --nodes 10 --games 2 --max-plies 4 --engine alfiere --engine", &[&own]),
        ("genfens 1 seed 1 plies=1-1 book", &[&openings]),
        ("eval --net", &[&net]),
        ("ratings", &[&rated]),
        ("positions --out", &[&text(&[&out, ".fen".as_ref()]), &games]),
        (
            "analyse --nodes 10 --syzygy",
            &[&tables, "--net".as_ref(), &net, "--out".as_ref(), &text(&[&out, ".pgn".as_ref()]), &games],
        ),
    ] {
        let output = command(&words.split(' ').collect::<Vec<_>>()).args(files).output().unwrap();
        assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
