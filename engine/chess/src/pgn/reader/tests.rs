//! Valid and broken games in the forms that occur in practice.

use super::*;

fn read(text: &str) -> Result<Vec<PgnGame>, (usize, PgnProblem)> {
    let mut games = Vec::new();
    read_games(text.as_bytes(), |game| games.push(game))?;
    Ok(games)
}

#[test]
fn main_lines_without_comments_and_variations() {
    let text = "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 {best (by test)\n[not a tag] } e5 (1... c5 {Sicilian} 2. Nf3 (2. c3)) \
                2.Nf3! $1 Nc6 ; to the end\n3. O-O? 1-0\n";
    // Castling is illegal there: the error names the line.
    let (line, problem) = read(text).expect_err("illegal");
    assert_eq!(line, 6, "{problem}");
    let games = read(&text.replace("O-O?", "Bb5 a6")).expect("legal");
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].moves.len(), 6);
    assert_eq!(games[0].result, Some(GameResult::Win(Color::White)));
    let (line, problem) = read("1. e4 {never\nclosed").expect_err("open");
    assert!(line == 2 && matches!(problem, PgnProblem::Open), "{line} {problem}");
}

#[test]
fn several_games_and_start_positions() {
    let text = "[Event \"a\"]\n\n1. d4 *\n\n[Event \"b\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. e4 1/2-1/2\n\
                [Event \"c\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n*\n[Event \"d\"]\n\n1. c4\n";
    let games = read(text).expect("legal");
    let lengths: Vec<_> = games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(lengths, [1, 2, 0, 1]);
    assert_eq!(games[1].start.fullmove_number(), 30);
    let results: Vec<_> = games.iter().map(|game| game.result).collect();
    assert_eq!(results, [None, Some(GameResult::Draw), None, None]);
}

#[test]
fn scores_are_those_of_the_preceding_move() {
    let text = "[Termination \"time forfeit\"]\n\n{+9.99/9 1s} 1. e4 {book} e5 ({+0.11/1 1s} 1... c5 {+0.22/2 1s}) 2. Nf3 {-0.31/12\n\
                0.105s} Nc6 {+M3/4 0.1s} {-0.44/4 1s} 0-1\n[Event \"b\"]\n\n1. d4 {+0.20/5 1s}\r\n1/2-1/2\r\n";
    let games = read(text).expect("legal");
    let reported_scores = |game: &PgnGame| game.moves.iter().map(|played| played.reported_score).collect::<Vec<_>>();
    assert_eq!(
        reported_scores(&games[0]),
        [None, None, Some(ReportedScore::Centipawns(-31)), Some(ReportedScore::Mate(3))]
    );
    assert_eq!(reported_scores(&games[1]), [Some(ReportedScore::Centipawns(20))]);
    assert_eq!((games[0].tag("Termination"), games[1].tag("Termination")), (Some("time forfeit"), None));
}

#[test]
fn tags_glyphs_and_comments_are_kept() {
    let text = "[Event \"The \\\"Opera\\\" \\\\ game\"] [Site \"Paris\"]\n[Site2 \"\"]\n\n{before} 1. e4! {a} $14 {b\n  c} e5 $6 ?? \
                (1... c5 {no} $1) ; to the end\n2. Nf3 !? 2... Nc6?! *\n";
    let games = read(text).expect("legal");
    let [game] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(game.tag("Event"), Some("The \"Opera\" \\ game"));
    assert_eq!((game.tag("Site"), game.tag("Site2"), game.tag("Round")), (Some("Paris"), Some(""), None));
    assert_eq!(game.preface, ["before"]);
    let glyphs: Vec<_> = game.moves.iter().map(|played| played.glyphs.as_slice()).collect();
    assert_eq!(glyphs, [&[1, 14][..], &[6, 4], &[5], &[6]]);
    assert_eq!(game.moves[0].comments, ["a", "b c"]);
    assert_eq!(game.moves[1].comments, ["to the end"]);
    assert!(game.had_variations);
}

#[test]
fn a_broken_game_does_not_affect_others() {
    let text = "[Event \"1\"]\n\n1. e4 e5 2. Ke3 Nc6 1-0\n\n[Event \"2\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n\n\
                [Event \"3\"]\n\n1. d4 {never closed *\n\n[Event \"4\"]\n\n1. d4 (1. c4 *\n[Event \"5\"]\n\n1. c4 1-0\n\
                [Event \"6\"]\n\n1. c4 {open";
    let mut seen = Vec::new();
    read_each(text.as_bytes(), |game| {
        seen.push(match game {
            Ok(game) => format!("{} {}", game.tag("Event").expect("a tag"), game.moves.len()),
            Err(fault) => format!("{} line {}", tag(&fault.tags, "Event").expect("a tag"), fault.line),
        });
        ControlFlow::Continue(())
    })
    .expect("readable");
    assert_eq!(seen, ["1 line 3", "2 line 6", "3 line 14", "4 line 17", "5 1", "6 line 22"]);
    let mut count = 0;
    read_each("1. e4 * 1. d4 * 1. c4 *".as_bytes(), |_| {
        count += 1;
        if count < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
    .expect("readable");
    assert_eq!(count, 2);
}

#[test]
fn carriage_returns_end_lines_and_control_characters_are_spaces() {
    let text = "[Event \"a\u{1b}[31mb\"]\r[White \"w\"]\r\r1. e4 {c\u{7}d} e5\r\n2. Nf3 1-0\r";
    let [game] = read(text).expect("legal").try_into().expect("one game");
    assert_eq!((game.tag("Event"), game.tag("White"), game.moves.len()), (Some("a [31mb"), Some("w"), 3));
    assert_eq!(game.moves[0].comments, ["c d"]);
    let (line, _) = read("[Event \"a\"]\r\r1. e4 e5\r2. Ke5 1-0\r").expect_err("illegal");
    assert_eq!(line, 4);
}

#[test]
fn a_hundred_thousand_tags_are_read_at_once() {
    let tags = (0..100_000).map(|number| format!("[T{number} \"x\"]")).collect::<Vec<_>>().join("\n");
    let games = read(&(tags + "\n\n1. e4 *\n")).expect("legal");
    assert!(games.len() == 1 && games[0].tags.len() == 100_000);
}

#[test]
fn an_error_shows_the_start_of_a_long_word() {
    let (_, problem) = read(&format!("1. {} 1-0", "e".repeat(1_000_000))).expect_err("no move");
    assert!(problem.to_string().len() < 300, "{problem}");
}
