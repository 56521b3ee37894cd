//! Endgame tables: a file under the name of a material that its last byte chooses, beside sound tables of fewer pieces.
#![no_main]

use std::path::Path;
use std::sync::Once;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::legal_moves;
use alfiere_syzygy::{FiftyMoveRule, Tablebases};
use libfuzzer_sys::fuzz_target;

/// Bytes of the checksum, which readers ignore.
const CHECKSUM: usize = 16;

const TABLES: [(&str, &[&str]); 6] = [
    ("KRvK", &["8/8/8/3k4/8/8/1R6/K7 w - - 0 1", "8/8/8/3k4/8/8/1R6/K7 b - - 0 1"]),
    ("KPvK", &["8/8/8/3k4/8/8/1P6/K7 w - - 0 1", "8/8/3k4/8/6p1/8/8/K7 b - - 0 1", "7K/8/8/8/8/k5P1/8/8 b - - 0 1"]),
    ("KRvKR", &["8/8/8/3k4/5r2/8/1R6/K7 w - - 0 1", "8/8/8/3k4/5r2/8/1R6/K7 b - - 0 1"]),
    ("KPvKP", &["8/8/8/3k3p/8/8/1P6/K7 w - - 0 1", "8/8/8/3k4/1Pp5/8/8/K7 b - b3 0 1"]),
    ("KRRvK", &["8/8/8/3k4/8/8/1RR5/K7 w - - 0 1", "8/8/8/3k4/8/r7/1r6/K7 w - - 0 1"]),
    ("KRPvK", &["8/8/8/3k4/8/8/1R1P4/K7 w - - 0 1", "8/8/8/3k4/8/6p1/1r6/K7 w - - 0 1"]),
];

fuzz_target!(|bytes: &[u8]| {
    let sound = alfiere_fuzz::folder().join("sound");
    static COPY: Once = Once::new();
    COPY.call_once(|| {
        std::fs::create_dir_all(&sound).expect("a folder");
        let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/syzygy");
        for name in ["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz", "KBvK.rtbw", "KNvK.rtbw", "KPvK.rtbw"] {
            std::fs::copy(tables.join(name), sound.join(name)).expect("copied");
        }
    });
    let Some(&last) = bytes.last() else { return };
    let (name, positions) = TABLES[usize::from(last) % TABLES.len()];
    let (ending, magic) = match last & 0x80 {
        0 => ("rtbw", [0x71, 0xE8, 0x23, 0x5D]),
        _ => ("rtbz", [0xD7, 0x66, 0x0C, 0xA5]),
    };
    let mut table = bytes.to_vec();
    table.resize(bytes.len().next_multiple_of(64) + CHECKSUM, 0);
    table[..4].copy_from_slice(&magic);
    let path = alfiere_fuzz::file(&format!("{name}.{ending}"), &table);
    let folders = format!("{}:{}", alfiere_fuzz::folder().display(), sound.display());
    let tables = Tablebases::open(&folders).expect("sound tables are there");
    for fen in positions {
        let board = Board::from_fen(fen).expect("legal");
        tables.probe_wdl(&board);
        tables.probe_dtz(&board);
        tables.rank(&board, &KeyHistory::default(), &legal_moves(&board), FiftyMoveRule::Counts);
    }
    std::fs::remove_file(path).expect("written above");
});
