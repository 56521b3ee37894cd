//! The program: commands come from standard input, answers go to standard output.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use alfiere_book::uci::Session;

// ANCHOR: main
fn main() -> io::Result<()> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let flag = Arc::clone(&stop);
    // Commands are read in a thread of their own, because `stop` and `isready` arrive during a search.
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            match line.split_whitespace().next() {
                Some("go") => flag.store(false, Ordering::Relaxed),
                Some("stop" | "quit") => flag.store(true, Ordering::Relaxed),
                // A reader that has left cannot be told that its answer got lost.
                Some("isready") if writeln!(io::stdout(), "readyok").is_err() => break,
                _ => {}
            }
            if sender.send(line).is_err() {
                break;
            }
        }
        flag.store(true, Ordering::Relaxed);
    });
    let mut session = Session::new(stop);
    for line in receiver {
        if session.execute(&line, &mut io::stdout())?.is_break() {
            break;
        }
    }
    Ok(())
}
// ANCHOR_END: main
