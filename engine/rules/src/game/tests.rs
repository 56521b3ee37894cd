//! Variations, where a game ends, comments and what cannot be read.

use super::*;

/// The moves of each line to its end, in the order of the last moves in the text.
fn lines(game: &GameTree) -> Vec<String> {
    let nodes = &game.nodes;
    let is_leaf = |place: usize| nodes.iter().all(|node| node.parent != place);
    let leaves = (1..=nodes.len()).filter(|&place| is_leaf(place));
    let line = |mut place: usize| {
        let mut words = Vec::new();
        while place > 0 {
            words.push(nodes[place - 1].ply.san.as_str());
            place = nodes[place - 1].parent;
        }
        words.reverse();
        words.join(" ")
    };
    leaves.map(line).collect()
}

#[test]
fn variations_are_branches() {
    let text =
        "{start} 1. e4 {good} e5 (1... c5 $5 2. Nf3 (2. c3 d5) 2... d6) ({French} 1... e6!?) 2. Nf3 (2. Nf3 Nf6) 1-0";
    let game = GameTree::read(text, 0).expect("legal");
    assert_eq!(lines(&game), ["e4 c5 c3 d5", "e4 c5 Nf3 d6", "e4 e6", "e4 e5 Nf3 Nf6"]);
    assert_eq!((game.comments, game.result), (vec!["start".to_owned()], "1-0".to_owned()));
    let node = |san: &str| game.nodes.iter().find(|node| node.ply.san == san).expect("played");
    assert_eq!(node("e4").comments, ["good"]);
    assert_eq!((&node("c5").glyphs, &node("e6").glyphs), (&vec![5], &vec![5]));
    assert_eq!(node("e6").before, ["French"]);
}

#[test]
fn the_first_of_several_games_is_read() {
    let text = "[Event \"C\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O 1-0\n\n1. Zz9";
    let game = GameTree::read(text, 0).expect("legal");
    assert_eq!((game.tags.len(), game.nodes.len(), game.error), (2, 1, None));
    // Without a result, the next game's tags are the end.
    let game = GameTree::read("1. e4 (1. d4\n\n[Event \"2\"]\n\n1. Zz9", 0).expect("a game");
    assert_eq!((game.tags.len(), lines(&game)), (0, vec!["e4".to_owned(), "d4".to_owned()]));
    assert!(game.error.expect("open").starts_with("line 1: a variation is not closed"));
}

#[test]
fn what_a_variation_holds_besides_moves_does_no_harm() {
    let text = "1. e4 e5 (1... c6 2. -- d5 (2... e5) 3. Qxd9) (1... d6 *) 2. Nf3 1-0 1. d4 *";
    let game = GameTree::read(text, 0).expect("legal");
    assert_eq!(lines(&game), ["e4 c6 -- d5", "e4 c6 -- e5", "e4 d6", "e4 e5 Nf3"]);
    let node = game.nodes.iter().find(|node| node.ply.san == "d5").expect("played");
    assert_eq!(node.comments, ["left out from \"Qxd9\" on"]);
    assert_eq!(game.result, "1-0");
}

#[test]
fn the_legal_part_of_a_game_is_shown() {
    for (text, line, words) in [
        ("1. e4 e5\n2. Qh8 Nc6 (2... d6) 1-0", "e4 e5", "line 2: 2. Qh8: no such move"),
        ("1. e4 diagram 1-0", "e4", "line 1: 1... diagram: this is no move"),
        ("1. e4 (1. d4 d5 1-0", "d4 d5", "line 1: a variation is not closed"),
        ("1. e4 e5 {open", "e4 e5", "line 1: a comment is not closed"),
        ("1. e4 e5 2. Qh5 g6 3. Qxe5+ -- 1-0", "e4 e5 Qh5 g6 Qxe5+", "line 1: 3... --: this is no move"),
    ] {
        let game = GameTree::read(text, 0).expect("a game");
        assert_eq!(lines(&game).last().map(String::as_str), Some(line), "{text}");
        let error = game.error.expect("cut off");
        assert!(error.starts_with(words), "{error}");
    }
    let game = GameTree::read("[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 -- 4. O-O Bc5 *", 0).expect("a game");
    assert_eq!((lines(&game), game.error), (vec!["e4 e5 Nf3 Nc6 Bc4 -- O-O Bc5".to_owned()], None));
    assert_eq!((game.nodes[5].ply.uci.as_str(), game.result.as_str()), ("0000", "1-0"));
}

#[test]
fn a_comment_before_tags_is_not_of_the_game() {
    let text = "{Annotated by X}\n[Event \"A\"]\n{Of the first}\n[White \"B\"]\n\n1. e4 1-0\n{Of nothing}\n[Event \"C\"]\n\n1. d4 *";
    let game = GameTree::read(text, 0).expect("legal");
    assert_eq!((lines(&game), game.comments), (vec!["e4".to_owned()], vec!["Of the first".to_owned()]));
    assert_eq!(GameTree::read("{Before} 1. d4 *", 0).expect("legal").comments, ["Before"]);
}

fn error(text: &str) -> String {
    GameTree::read(text, 0).expect("a game").error.expect("the game is invalid")
}

#[test]
fn invalid_games_get_a_line_and_a_reason() {
    for (text, words) in [
        ("(1. e4)", "line 1: a variation, expected a move before it"),
        ("[Variant \"Atomic\"]\n\n1. Nf3 f6", "line 1: found variant \"Atomic\""),
        ("[FEN \"x\"]", "line 1: FEN fields: 1"),
    ] {
        let error = error(text);
        assert!(error.contains(words), "{text}: {error}");
    }
    assert!(GameTree::read("", 0).expect_err("there is none").to_string().contains("no game"));
    assert_eq!(GameTree::read("1. e4 ) ) e5", 0).expect("a game").error, None);
}

#[test]
fn games_are_found_as_the_programs_find_them() {
    let text = "[White \"a\"] [Black \"b\"] 1. e4 e5 1-0\r\n[White \"c\"]\r\n[BlackType: \"human\"]\r\n\r\n1. d4 {[%eval 17,20]} d5 {[%eval #+3]}\r\n\
                0-1 {Of none} [White \"x\"]\r\n[White \"d\"]\r\n1. c4 e5 (\r\n; maybe } better\r\n1... c5) 2. Nf3 *\r\n{End}";
    let GameList { games } = GameList::new(text);
    let found: Vec<_> = games.iter().map(|game| (game.tags[0].1.as_str(), game.lines, game.number)).collect();
    assert_eq!(found, [("a", [1, 1], 0), ("c", [2, 6], 0), ("d", [2, 10], 1)]);
    assert_eq!(games[1].tags[1].0, "BlackType:");
    let lines: Vec<&str> = text.lines().collect();
    let read = |place: &GamePlace| GameTree::read(&lines[place.lines[0] - 1..place.lines[1]].join("\n"), place.number);
    let games: Vec<GameTree> = games.iter().map(|place| read(place).expect("a game")).collect();
    let moves: Vec<String> = games.iter().map(lines_of).collect();
    assert_eq!(moves, ["e4 e5", "d4 d5", "c4 e5 Nf3|c4 c5"]);
    let evaluations = games[1].nodes.iter().map(|node| node.evaluation.expect("a score"));
    let evaluations: Vec<_> = evaluations.map(|found| (found.score.to_string(), found.expected_score)).collect();
    assert_eq!(evaluations[1], ("#3".to_owned(), 1.0));
    assert!(evaluations[0].0 == "0.17" && (evaluations[0].1 - 0.5156).abs() < 1e-4, "{evaluations:?}");
    assert!(games.iter().all(|game| game.error.is_none()), "{games:?}");
}

fn lines_of(game: &GameTree) -> String {
    let mut lines = lines(game);
    lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
    lines.join("|")
}
