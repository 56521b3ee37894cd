//! Lines of UCI. Whatever a line begins is stopped after it.
#![no_main]

use std::cell::RefCell;
use std::ops::ControlFlow;

use alfiere_fuzz as _;
use alfiere_search::Engine;
use alfiere_search::uci::{Session, options};
use libfuzzer_sys::fuzz_target;

fn session() -> Session {
    let mut session = Session::new(Engine::new(), std::io::sink());
    let _ = session.execute_line("setoption name Hash value 1");
    session
}

/// Commands that set all options but the table and files back.
fn defaults() -> impl Iterator<Item = String> {
    options().iter().filter_map(|option| {
        let text = option.to_string();
        let (name, rest) = text.strip_prefix("option name ")?.split_once(" type ")?;
        let default = rest.split_once("default ")?.1.split(' ').next()?;
        (name != "Hash" && !default.starts_with('<')).then(|| format!("setoption name {name} value {default}"))
    })
}

/// Files anywhere, large tables and many threads are not what is tested.
fn is_harmless(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let is_large = || line.split(|letter: char| !letter.is_ascii_digit()).any(|number| number.len() > 2);
    let names = |words: &[&str]| words.iter().any(|word| line.contains(word));
    !(names(&["file", "path"]) && line.contains(['/', '.']) || names(&["hash", "threads"]) && is_large())
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(session());
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    SESSION.with_borrow_mut(|current| {
        let _ = current.execute_line("position startpos");
        for line in text.split('\n').filter(|line| is_harmless(line)) {
            if current.execute_line(line) == ControlFlow::Break(()) {
                break;
            }
            let _ = current.execute_line("stop");
        }
        if text.to_ascii_lowercase().contains("setoption") {
            for line in defaults() {
                let _ = current.execute_line(&line);
            }
        }
    });
});
