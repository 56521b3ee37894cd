//! Valid and broken games in the forms that occur in practice.

use super::*;
use crate::pgn::{read_all, read_results};
use crate::types::Color;

/// The line and problem of the only game, which is cut off or a fault.
fn fault(text: &str) -> (usize, PgnProblem) {
    let [game] = read_results(text.as_bytes()).try_into().expect("one game");
    let PgnFault { line, problem, .. } = game.map_or_else(Some, |game| game.cut_off).expect("a fault");
    (line, problem)
}

#[test]
fn main_lines_without_comments_and_variations() {
    let text = "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 {best (by test)\n[not a tag] } e5 (1... c5 {Sicilian} 2. Nf3 (2. c3)) \
                2.Nf3! $1 Nc6 ; to the end\n3. O-O? 1-0\n";
    // Castling is illegal there: the error names the line.
    let (line, problem) = fault(text);
    assert_eq!(line, 6, "{problem}");
    let games = read_all(&text.replace("O-O?", "Bb5 a6"));
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].moves.len(), 6);
    assert_eq!(games[0].result, Some(GameResult::Win(Color::White)));
    let (line, problem) = fault("1. e4 {never\nclosed");
    assert!(line == 2 && matches!(problem, PgnProblem::Open), "{line} {problem}");
}

#[test]
fn several_games_and_start_positions() {
    let text = "[Event \"a\"]\n\n1. d4 *\n\n[Event \"b\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. e4 1/2-1/2\n\
                [Event \"c\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n*\n[Event \"d\"]\n\n1. c4\n";
    let games = read_all(text);
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
    let games = read_all(text);
    let reported_scores = |game: &PgnGame| game.moves.iter().map(|played| played.reported_score).collect::<Vec<_>>();
    assert_eq!(
        reported_scores(&games[0]),
        [None, None, Some(ReportedScore::Centipawns(-31)), Some(ReportedScore::Mate(2))]
    );
    assert_eq!(reported_scores(&games[1]), [Some(ReportedScore::Centipawns(20))]);
    assert_eq!((games[0].tag("Termination"), games[1].tag("Termination")), (Some("time forfeit"), None));
}

#[test]
fn tags_glyphs_and_comments_are_kept() {
    let text = "[Event \"The \\\"Opera\\\" \\\\ game\"] [Site \"Paris\"]\n[Site2 \"\"]\n\n{before} 1. e4! {a} $14 {b\n  c} e5 $6 ?? \
                (1... c5 {no} $1) ; to the end\n2. Nf3 !? 2... Nc6?! *\n";
    let games = read_all(text);
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
    let shown = |game: Result<PgnGame, PgnFault>| match game {
        Ok(game) => {
            let line = game.cut_off.as_ref().map_or(0, |fault| fault.line);
            format!("{} {} line {line}", game.tag("Event").expect("a tag"), game.moves.len())
        }
        Err(fault) => format!("fault line {}", fault.line),
    };
    let seen: Vec<String> = read_results(text.as_bytes()).into_iter().map(shown).collect();
    assert_eq!(seen, ["1 2 line 3", "fault line 6", "3 1 line 14", "4 1 line 17", "5 1 line 0", "6 1 line 22"]);
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
    let [game] = read_all(text).try_into().expect("one game");
    assert_eq!((game.tag("Event"), game.tag("White"), game.moves.len()), (Some("a [31mb"), Some("w"), 3));
    assert_eq!(game.moves[0].comments, ["c d"]);
    let (line, _) = fault("[Event \"a\"]\r\r1. e4 e5\r2. Ke5 1-0\r");
    assert_eq!(line, 4);
}

#[test]
fn a_hundred_thousand_tags_are_read_at_once() {
    let tags = (0..100_000).map(|number| format!("[T{number} \"x\"]")).collect::<Vec<_>>().join("\n");
    let games = read_all(&(tags + "\n\n1. e4 *\n"));
    assert!(games.len() == 1 && games[0].tags.len() == 100_000);
}

#[test]
fn an_error_shows_the_start_of_a_long_word() {
    let (_, problem) = fault(&format!("1. {} 1-0", "e".repeat(1_000_000)));
    assert!(problem.to_string().len() < 300, "{problem}");
}

#[test]
fn mates_in_plies_become_moves() {
    let mates = |text: &str| -> Vec<_> { read_all(text)[0].moves.iter().map(|played| played.reported_score).collect() };
    let mate = |moves| Some(ReportedScore::Mate(moves));
    assert_eq!(mates("1. e4 {+M5/9 1s} e5 {-M4/8 1s} 2. d4 {+M1/2 1s} d5 {-M0/2} *"), [3, -2, 1, 0].map(mate));
    // An even number of plies ends with the opponent's move.
    assert_eq!(mates("1. e4 {+M5/9 1s} e5 {-M4/8 1s} 2. d4 {+M4/2 1s} *"), [5, -4, 4].map(mate));
    assert_eq!(mates("[Event \"Alfiere match\"]\n\n1. e4 {+M5/9 1s} *"), [mate(5)]);
}

#[test]
fn scores_that_cannot_be_read_are_kept() {
    let game = &read_all(
        "[Event \"?\"]{[%eval 0.2]} 1. e4 {+x/3 1s} e5 {[%eval #?]}\n{[%eval 0.3]} 2. d4 {a} {[%eval #-3,5]} *",
    )[0];
    let unread = [(1, "+x/3 1s".to_owned()), (1, "[%eval #?]".to_owned())];
    assert_eq!((game.start_eval, game.unread_scores.as_slice()), (Some(ReportedScore::Centipawns(20)), &unread[..]));
    let evals: Vec<_> = game.moves.iter().map(|played| played.eval).collect();
    assert_eq!(evals, [None, Some(ReportedScore::Centipawns(30)), Some(ReportedScore::Mate(-3))]);
}

#[test]
fn a_result_after_the_moves_counts_before_the_tag() {
    for (tag, end, result) in [
        ("1-0", "", "1-0"),
        ("0-1", "*", "0-1"),
        ("½-½", "", "1/2-1/2"),
        ("1/2", "*", "1/2-1/2"),
        ("1-0", "0-1", "0-1"),
        ("*", "1/2", "1/2-1/2"),
    ] {
        let game = &read_all(&format!("[Result \"{tag}\"]\n\n1. e4 {end}\n"))[0];
        assert_eq!(game.result.map(|result| result.to_string()).as_deref(), Some(result), "{tag} {end}");
    }
    assert_eq!(read_all("[Result \"?\"]\n\n1. e4")[0].result, None);
}

#[test]
fn games_of_other_rules_are_faults() {
    let variants = "Three-check, King of the Hill, Atomic, Racing Kings, Antichess, Crazyhouse, Horde, Suicide";
    for variant in variants.split(", ") {
        let (line, problem) = fault(&format!("[FEN \"x\"]\n[Variant \"{variant}\"]\n\n1. e4 *"));
        assert_eq!((line, problem), (2, PgnProblem::Variant(variant.to_owned())));
    }
    for variant in [
        "Standard",
        "chess",
        "From Position",
        "Chess960",
        "chess 960",
        "Fischerandom",
        "Fischer Random",
        "Freestyle Chess",
        "?",
    ] {
        assert_eq!(read_all(&format!("[Variant \"{variant}\"]\n\n1. e4 *"))[0].moves.len(), 1, "{variant}");
    }
}

#[test]
fn lines_that_are_not_utf_8_are_windows_1252() {
    let text =
        b"[White \"\x8Aolak\"]\n[Black \"\x8Eolak\"]\n\n1. e4 {M\xC3\xBCller} \xBD-\xBD\n1. e4 {M\xC3\xBCller} *";
    let seen: Vec<PgnGame> = read_results(text).into_iter().map(|game| game.expect("a game")).collect();
    assert_eq!((seen[0].tag("White"), seen[0].tag("Black")), (Some("Šolak"), Some("Žolak")));
    assert_eq!((seen[0].result, seen[1].moves[0].comments[0].as_str()), (Some(GameResult::Draw), "Müller"));
}

#[test]
fn notations_of_other_programs_are_read() {
    for (text, plies) in [
        ("1. d4$1 Nf6$2$14 2. c4!$6 c5??(2... d6$5) 3. d5$1 {x} 1-0", 5),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 = Bc5 4. d3 Nf6 1-0", 8),
        ("[FEN \"8/P6k/8/8/8/8/6Kp/8 w - - 0 1\"]\n\n1. a8(Q) h1=Q+ *", 2),
        ("1. e4 e5 2. Nf3 1/2\n[Event \"b\"]\n\n", 3),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O–O± (4. -- d6) 4…Nf6 N 1–0", 8),
        ("1. e4 d5 2. e5 f5 3. exf6 e.p. Nxf6 4. Be2 += *", 7),
    ] {
        let game = &read_all(text)[0];
        assert_eq!((game.moves.len(), game.cut_off.is_none()), (plies, true), "{text}");
    }
    let (_, problem) = fault("1. e4 e5 2. Nf3 Nc6 3. Bc4 -- 4. O-O Bc5 5. d3 1-0");
    assert_eq!(problem.to_string(), "'--' is not a move, expected one like Nf3, exd5, e8=Q or O-O");
}

#[test]
fn a_tag_twice_in_one_section_has_its_last_value() {
    let games = read_all(
        "[White \"a\"]\n[FEN \"x\"]\n[Variant \"Atomic\"]\n[Result \"1/2-1/2\"]\n[Result \"0-1\"]\n[Variant \"?\"]\n\
         [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4\n\n[White \"b\"] [White \"c\"]\n \n[White \"d\"]\n\n1. e4 e5 1-0",
    );
    let seen: Vec<_> = games.iter().map(|game| (game.tag("White"), game.tags.len(), game.moves.len())).collect();
    assert_eq!(seen, [(Some("a"), 4, 1), (Some("c"), 1, 0), (Some("d"), 1, 2)]);
    assert_eq!(games[0].result, Some(GameResult::Win(Color::Black)));
}

#[test]
fn games_on_one_line_and_comments_before_them() {
    let games = read_all(
        "[White \"a\"] [Black: \"b\"] 1. e4 e5* [White \"c\"] 1. d4 d5 0-1 {Of the next} 1. c4 (\n; maybe } better\n1. c3) c5 *\n{Of none}",
    );
    let seen: Vec<_> = games.iter().map(|game| (game.tag("White"), game.moves.len())).collect();
    assert_eq!(seen, [(Some("a"), 2), (Some("c"), 2), (None, 2)]);
    assert_eq!((games[0].tag("Black:"), games[2].preface.concat()), (Some("b"), "Of the next".to_owned()));
    assert_eq!(read_all("{[%eval 0.3]} 1. e4 *")[0].start_eval, Some(ReportedScore::Centipawns(30)));
}
