//! `wdl`: the engine's win/draw/loss model from games.

use crate::support::Folder;

/// Games of one scored position each, with these numbers of wins, draws and losses at each score.
fn games() -> String {
    const STARTS: [(&str, &str); 3] = [
        ("4k2r/8/8/8/8/8/8/R3K3 w - - 0 30", "Kf2"),
        ("3qk2r/8/8/8/8/8/8/R3K2Q w - - 0 30", "Kf2"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 30", "Nf3"),
    ];
    let mut text = String::new();
    for (start, mv) in STARTS {
        for (score, counts) in
            [("-2.00", [1, 2, 12]), ("-0.50", [3, 6, 6]), ("+0.50", [6, 6, 3]), ("+2.00", [12, 2, 1])]
        {
            for (result, count) in ["1-0", "1/2-1/2", "0-1"].into_iter().zip(counts) {
                let game = format!("[FEN \"{start}\"]\n\n30. {mv} {{{score}/9 0.1s}} {result}\n\n");
                text.push_str(&game.repeat(count));
            }
        }
    }
    text
}

#[test]
fn the_model_is_fitted_and_compared_with_the_present_one() {
    let folder = Folder::new();
    folder.write("games.pgn", games());
    let run = folder.trainer("wdl games.pgn --json fit.json");
    let last = run.success().lines().last().unwrap();
    assert!(last.starts_with("log-likelihood -") && last.contains(" games 180 positions 180"), "{last}");
    let found = folder.json("fit.json");
    let likelihood = |model: &str| found[model]["log_likelihood"].as_f64().unwrap();
    assert!(likelihood("fitted") >= likelihood("current"), "{found}");
    folder.trainer("wdl games.pgn --json fit.json").refused("--force");
}

#[test]
fn games_without_usable_scores_are_rejected() {
    let folder = Folder::new();
    let game =
        |result: &str| format!("[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 30\"]\n\n30. e4 {{+0.31/9 0.1s}} {result}\n\n");
    for (text, part) in [
        (String::new(), "found 0 finished games"),
        ("[Event \"x\"]\n\n1. e4 {book} e5 1-0\n".to_owned(), "{+0.31/12 0.105s}"),
        ("[Event \"x\"]\n\n1. e4 {+0.31/12 0.1s} e5\n2. Ke3 {+0.3/1 0.1s} 1-0\n".to_owned(), "games.pgn, line 4"),
        ("[Event \"x\"]\n\n1. e4 {+0.31/12 0.1s e5 1-0\n".to_owned(), "not closed"),
        (game("1-0"), "found none drawn"),
        (game("1-0") + &game("1/2-1/2") + &game("0-1"), "3 positions do not settle"),
    ] {
        folder.write("games.pgn", text);
        folder.trainer("wdl games.pgn").refused(part);
    }
    folder.trainer("wdl none.pgn").refused("none.pgn");
}
