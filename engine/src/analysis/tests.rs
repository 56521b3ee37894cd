//! Analyses real games with the real engine, and reads back the annotated games.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use alfiere_chess::game::Limit;
use alfiere_chess::pgn::{PgnGame, read_each};
use alfiere_chess::review::{Evaluation, Judgement};
use alfiere_chess::types::Color;
use alfiere_search::engine::{Engine, Settings};

use super::*;

fn read(text: &str) -> Vec<PgnGame> {
    let mut games = Vec::new();
    read_each(text.as_bytes(), |game| {
        games.push(game.unwrap_or_else(|fault| panic!("line {}: {}\n{text}", fault.line, fault.problem)));
        ControlFlow::Continue(())
    })
    .expect("readable");
    games
}

fn games(text: &str) -> Vec<Game> {
    read(text).into_iter().map(|pgn| Game { pgn }).collect()
}

fn analyst(nodes: u64) -> Analyst {
    let mut engine = Engine::new();
    engine.configure(Settings { hash_mib: 4, ..Settings::default() });
    Analyst::new(engine, Limit::Nodes(nodes))
}

fn report(game: &Game, nodes: u64) -> GameReport {
    let mut seen = 0;
    let report = analyst(nodes).analyse(game, &AtomicBool::new(false), || seen += 1);
    assert_eq!(seen, game.position_count());
    report.expect("a search").expect("not stopped")
}

/// Reads back an annotated game and checks that its moves are unchanged.
fn read_back(game: &Game, report: &GameReport) -> (String, PgnGame) {
    let text = annotate(game, report, "a test");
    let [again] = read(&text).try_into().expect("one game");
    let moves = |game: &PgnGame| game.moves.iter().map(|played| played.mv).collect::<Vec<_>>();
    assert_eq!((moves(&again), again.result), (moves(&game.pgn), game.pgn.result), "{text}");
    (text, again)
}

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../datasets/games").join(name)
}

#[test]
fn losing_the_queen_is_a_blunder() {
    let Collection { games, faults, .. } = read_collection(&data("miniatures.pgn")).expect("readable");
    assert!(games.len() == 2 && faults.is_empty(), "{faults:?}");
    let game = &games[1];
    assert_eq!(game.title(), "Amedee Gibaud – Frederic Lazard, Paris, 1924, 0-1");
    // The refutation begins with a sacrifice, which the search before it misses: only the search after it knows.
    let report = report(game, 20_000);
    let h3 = &report.moves[6];
    assert_eq!((h3.name().as_str(), h3.review.judgement), ("4. h3??", Some(Judgement::Blunder)));
    assert!(h3.review.loss > 0.4 && h3.review.centipawn_loss > 200 && h3.review.accuracy < 50.0, "{h3:?}");
    assert!(h3.better.as_ref().is_some_and(|better| better != "h3"));
    // The reply that punishes it costs nothing.
    assert_eq!((report.moves[7].review.judgement, report.moves[7].review.loss), (None, 0.0));
    let [white, black] = &report.sides;
    assert_eq!((white.moves, white.judged[2], black.moves, black.judged[2]), (4, 1, 4, 0));
    assert!(white.accuracy < black.accuracy && white.average_centipawn_loss > black.average_centipawn_loss);
    let (text, again) = read_back(game, &report);
    assert!(again.moves[6].glyphs.contains(&4) && again.had_variations, "{text}");
    assert!(again.moves.iter().all(|played| played.comments.len() == 1), "{text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("Blunder (") && text.contains(") 4... Ne3 {[%eval -"), "{text}");
    assert_eq!(again.tag("Annotator"), Some("a test"));
}

#[test]
fn a_node_limited_report_is_deterministic() {
    let games = read_collection(&data("miniatures.pgn")).expect("readable").games;
    let stop = AtomicBool::new(false);
    let mut analyst = analyst(500);
    let first = analyst.analyse(&games[1], &stop, || {}).expect("a search");
    let opera = analyst.analyse(&games[0], &stop, || {}).expect("a search").expect("not stopped");
    assert_eq!(analyst.analyse(&games[1], &stop, || {}).expect("a search"), first);
    let last = opera.positions.last().expect("positions");
    assert_eq!((last.evaluation, last.nodes), (Evaluation::checkmate(Color::White), 0));
    let stopped = analyst.analyse(&games[0], &AtomicBool::new(true), || {}).expect("a search");
    assert_eq!(stopped, None);
}

#[test]
fn comments_and_glyphs_of_the_author_are_kept() {
    let text = "[Event \"a \\\"b\\\"\"]\n[Annotator \"somebody\"]\n[FEN \"4k3/4p3/8/8/8/8/4P3/3QK3 b - - 0 7\"]\n\n{before} 7... e5! $14 \
                {[%eval -3.21] [%clk 0:01:02] a long story [%csl Ge4] ends} 8. e4 {[%eval 1.0]} Ke7 ; with } brace\n9. Qd5 $13 *\n";
    let game = &games(text)[0];
    let report = report(game, 300);
    let (written, again) = read_back(game, &report);
    assert_eq!((again.tag("Event"), again.tag("Annotator")), (Some("a \"b\""), Some("somebody")));
    assert_eq!(again.preface, ["before"]);
    assert_eq!(again.moves[0].glyphs, [1, 14]);
    assert_eq!(again.moves[0].comments[0], "[%clk 0:01:02] a long story [%csl Ge4] ends");
    assert_eq!(again.moves[2].comments[0], "with brace");
    assert!(again.moves[3].glyphs.contains(&13));
    assert!(again.moves.iter().all(|played| played.comments.concat().matches("%eval").count() == 1), "{written}");
    let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(written.contains("{before} 7... e5 $1 $14 {") && written.contains(" 8. e4 {["), "{written}");
}

#[test]
fn chess960_and_unfinished_games_are_analysed() {
    // White castles from b1 with the rook on c1, Black from b8 with the rook on a8; the game has no result.
    let text = "[Variant \"Chess960\"]\n[FEN \"rk6/pppppppp/8/8/8/8/PPPPPPPP/1KR5 w Ca - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O O-O-O 2. a3 *\n";
    let game = &games(text)[0];
    let report = report(game, 300);
    let (written, again) = read_back(game, &report);
    assert!(again.moves[0].mv.is_castle() && again.moves[1].mv.is_castle(), "{written}");
    assert!(
        written.contains("1. O-O ") && written.contains(" O-O-O ") && written.trim_end().ends_with('*'),
        "{written}"
    );
    assert!(game.title().ends_with("White – Black, *"), "{}", game.title());
}

#[test]
fn finished_positions_are_not_searched() {
    let text =
        "[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n\n1. Kf7 1/2-1/2\n\n[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n\n*\n";
    let both = games(text);
    let stalemate = report(&both[0], 300);
    let last = &stalemate.positions[1];
    assert_eq!((last.evaluation, last.nodes), (Evaluation::DRAW, 0));
    assert_eq!(stalemate.moves[0].review.judgement, Some(Judgement::Blunder));
    let (text, _) = read_back(&both[0], &stalemate);
    assert!(text.contains("1. Kf7 $4 {[%eval 0.00] Blunder (#1 → 0.00): "), "{text}");
    let none = report(&both[1], 300);
    assert!(none.moves.is_empty() && none.positions.len() == 1);
    let (text, _) = read_back(&both[1], &none);
    assert!(text.ends_with("\n*\n\n"), "{text}");
}

#[test]
fn games_that_cannot_be_read_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mixed.pgn");
    let text = "[Event \"1\"]\n\n1. e4 *\n\n[Event \"2\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Ke3 *\n\n\
                [Event \"3\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n[Event \"4\"]\n[Variant \"Standard\"]\n\n1. d4 *\n";
    std::fs::write(&path, text).expect("written");
    let Collection { games, faults, .. } = read_collection(&path).expect("readable");
    assert_eq!(games.iter().map(Game::position_count).collect::<Vec<_>>(), [2, 3, 2]);
    let [illegal, atomic] = faults.as_slice() else { panic!("{faults:?}") };
    for part in ["game 2 cut off", "mixed.pgn, line 9", "A - B", "Ke3"] {
        assert!(illegal.contains(part), "{illegal}");
    }
    assert!(atomic.contains("game 3 left out") && atomic.contains("Atomic") && atomic.contains("expected"), "{atomic}");
    assert!(read_collection(&folder.path().join("none.pgn")).is_err());
}

#[test]
fn null_moves_are_moves_of_an_analysed_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("null.pgn");
    std::fs::write(&path, "1. e4 -- 2. d4 Z0 3. Nf3 d5 *\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- 4. d4 *\n")
        .expect("written");
    let Collection { games, faults, .. } = read_collection(&path).expect("readable");
    assert_eq!(games.iter().map(Game::position_count).collect::<Vec<_>>(), [7, 6]);
    let [in_check] = faults.as_slice() else { panic!("{faults:?}") };
    assert!(in_check.contains("game 2 cut off") && in_check.contains("--"), "{in_check}");
    let report = report(&games[0], 500);
    assert!(report.moves[1].review.judgement.is_none() && report.moves[1].better.is_none(), "{:?}", report.moves[1]);
    let text = annotate(&games[0], &report, "a test");
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.contains(&"--") && words.contains(&"Nf3") && words.contains(&"d5"), "{text}");
}
