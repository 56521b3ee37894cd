//! Games: moves, levels, ends, clocks, hints.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{legal_moves, parse_uci_move};
use alfiere_chess::types::Square;
use serde_json::{Value, json};

use super::http::Server;
use super::plies;

fn fen(game: &Value) -> String {
    game["stages"][plies(game)]["fen"].as_str().unwrap().to_owned()
}

#[test]
fn a_whole_game_is_played_over_http() {
    let server = Server::start(&[]);
    let path = server.begin(&json!({"side": "black", "level": "600", "player": "classical"}));
    let mut board = Board::startpos();
    let mut seen = 0;
    loop {
        let game = server.wait_for(&path, |game| game["your_turn"] == true || !game["end"].is_null());
        // Checks that every move of both sides is legal.
        for stage in &game["stages"].as_array().unwrap()[seen + 1..] {
            let mv = parse_uci_move(&board, stage["uci"].as_str().unwrap()).unwrap();
            board.play(mv);
            assert_eq!(stage["fen"], board.to_fen());
        }
        seen = plies(&game);
        if !game["end"].is_null() {
            // Only a mate may end the game early: a weak level once mated in nine moves.
            let mated = legal_moves(&board).is_empty() && board.in_check();
            assert_eq!(game["end"]["reason"] == "checkmate", mated, "{game}");
            assert!((mated || seen > 20) && !game["end"]["reason"].as_str().unwrap().is_empty(), "{game}");
            assert_eq!(game["legal"], json!([]));
            break;
        }
        assert_eq!(game["legal"].as_array().unwrap().len(), legal_moves(&board).len());
        if seen > 60 {
            assert_eq!(server.post(&format!("{path}/resign"), &json!({})).status, 200);
            continue;
        }
        // The last legal move is good enough against this low level.
        let mv = game["legal"].as_array().unwrap().last().unwrap();
        let answer = server.post(&format!("{path}/moves"), &json!({"move": mv, "ply": seen}));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    server.post(&format!("{path}/moves"), &json!({"move": "e4"})).is_error(409, "the game is over");
    server.post(&format!("{path}/takeback"), &json!({})).is_error(409, "no move of yours");
    let pgn = server.get(&format!("{path}/pgn")).json()["pgn"].as_str().unwrap().to_owned();
    // The game can be continued from its final position.
    let copy = server.begin(&json!({"position": pgn}));
    let copied = server.get(&copy).json();
    assert_eq!((fen(&copied), copied["given"].as_u64()), (board.to_fen(), Some(seen as u64)), "{pgn}");
    assert!(pgn.contains("[Black \"Player\"]") && pgn.contains("[White \"Alfiere (classical, level 600)\"]"), "{pgn}");
}

#[test]
fn each_player_has_its_own_levels() {
    let server = Server::start(&[]);
    let info = server.get("/api/info").json();
    for player in info["players"].as_array().unwrap() {
        let levels = player["levels"].as_array().unwrap();
        for level in [&levels[0], &levels[levels.len() - 1]] {
            let path = server.begin(&json!({"player": player["name"], "level": level["name"], "side": "black"}));
            let game = server.wait_for(&path, |game| plies(game) == 1 && game["your_turn"] == true);
            assert_eq!((&game["player"], &game["level"]), (&player["name"], &level["name"]));
            assert_eq!(game["level_label"].is_null(), levels.len() == 1, "{game}");
        }
        let path = server.begin(&json!({"player": player["name"]}));
        assert_eq!(server.get(&path).json()["level"], player["level"]);
    }
}

#[test]
fn full_strength_beats_the_weakest_level() {
    let server = Server::start(&[]);
    // Both players are the server's: the moves of one game are played in the other.
    let quick = json!({"kind": "move", "seconds": 0.05});
    let strong = server.begin(&json!({"side": "black", "level": "full", "time": quick}));
    let weak = server.begin(&json!({"side": "white", "level": "600"}));
    let mut seen = 0;
    while seen < 200 {
        let game = server.wait_for(&strong, |game| plies(game) > seen || !game["end"].is_null());
        seen = plies(&game);
        if !game["end"].is_null() {
            break;
        }
        assert_eq!(server.post(&format!("{weak}/moves"), &json!({"move": game["stages"][seen]["uci"]})).status, 200);
        let game = server.wait_for(&weak, |game| plies(game) > seen || !game["end"].is_null());
        seen = plies(&game);
        if !game["end"].is_null() {
            break;
        }
        assert_eq!(server.post(&format!("{strong}/moves"), &json!({"move": game["stages"][seen]["uci"]})).status, 200);
    }
    let game = server.get(&strong).json();
    assert_eq!(game["end"]["result"], "1-0", "{game}");
}

#[test]
fn games_end_by_the_rules() {
    let server = Server::start(&[]);
    for (position, mv, result, reason) in [
        ("7k/R7/8/8/8/8/1R6/K7 w - - 0 80", "Rb8", "1-0", "checkmate"),
        ("7k/8/4Q3/8/8/8/8/K7 w - - 0 1", "e6f7", "1/2-1/2", "stalemate"),
        ("7k/8/8/8/8/8/1p6/K7 w - - 0 1", "Kxb2", "1/2-1/2", "insufficient material"),
        ("7k/8/8/8/8/8/1R6/K7 w - - 99 80", "b2b3", "1/2-1/2", "fifty moves"),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *", "", "1/2-1/2", "threefold repetition"),
        ("6k1/P7/6K1/8/8/8/8/8 w - - 0 1", "a8=Q#", "1-0", "checkmate"),
    ] {
        let path = server.begin(&json!({"position": position}));
        if !mv.is_empty() {
            assert_eq!(server.post(&format!("{path}/moves"), &json!({"move": mv})).status, 200, "{position}");
        }
        let game = server.get(&path).json();
        assert_eq!(game["end"]["result"], result, "{position}");
        assert!(game["end"]["reason"].as_str().unwrap().contains(reason), "{game}");
        // The last position is evaluated without a search for mates and draws.
        let game = server.wait_for(&path, |game| !game["stages"][plies(game)]["evaluation"].is_null());
        let expected_score = game["stages"][plies(&game)]["evaluation"]["expected_score"].as_f64().unwrap();
        assert!((expected_score - if result == "1-0" { 1.0 } else { 0.5 }).abs() < 1e-9, "{game}");
    }
    let path = server.begin(&json!({}));
    let game = server.post(&format!("{path}/resign"), &json!({})).json();
    assert_eq!((&game["end"]["result"], &game["end"]["reason"]), (&json!("0-1"), &json!("White resigned")));
}

#[test]
fn moves_can_be_taken_back_during_a_search() {
    let server = Server::start(&[]);
    let path = server.begin(&json!({"level": "full", "time": {"kind": "move", "seconds": 60}}));
    server.post(&format!("{path}/takeback"), &json!({})).is_error(409, "no move of yours");
    server.post(&format!("{path}/moves"), &json!({"move": "e2e4"}));
    server.wait_for(&path, |game| game["thinking"] == true);
    server.post(&format!("{path}/moves"), &json!({"move": "e7e5"})).is_error(409, "the engine's turn");
    let game = server.post(&format!("{path}/takeback"), &json!({})).json();
    assert_eq!((plies(&game), &game["your_turn"], &game["thinking"]), (0, &json!(true), &json!(false)));
    // The cancelled search does not play a move.
    let game = server.wait_for(&path, |game| !game["stages"][0]["evaluation"].is_null());
    assert_eq!(plies(&game), 0);

    let path = server.begin(&json!({"level": "600"}));
    for (index, mv) in ["Nf3", "g1f3"].into_iter().enumerate() {
        let answer = server.post(&format!("{path}/moves"), &json!({"move": mv, "ply": 0}));
        assert_eq!(answer.status, 200, "{}", answer.body);
        server.wait_for(&path, |game| plies(game) == 2);
        server
            .post(&format!("{path}/moves"), &json!({"move": "e4", "ply": 0}))
            .is_error(409, "the move follows 0 half-moves, but the game has 2");
        let game = server.post(&format!("{path}/takeback"), &json!({})).json();
        assert_eq!((plies(&game), &game["can_take_back"]), (0, &json!(false)), "{index}");
    }
}

#[test]
fn clocks_run_and_run_out() {
    let server = Server::start(&[]);
    let path = server.begin(&json!({"level": "600", "time": {"kind": "clock", "seconds": 1, "increment": 0}}));
    assert_eq!(server.get(&path).json()["clock"], json!({"white": 1000, "black": 1000, "running": null}));
    server.post(&format!("{path}/moves"), &json!({"move": "a3"}));
    let game = server.wait_for(&path, |game| plies(game) == 2);
    assert_eq!(game["clock"]["running"], "white");
    let game = server.wait_for(&path, |game| !game["end"].is_null());
    assert_eq!((&game["end"]["result"], &game["end"]["reason"]), (&json!("0-1"), &json!("White ran out of time")));
    assert_eq!((&game["clock"]["white"], &game["clock"]["running"]), (&json!(0), &Value::Null));
    server.post(&format!("{path}/moves"), &json!({"move": "a4"})).is_error(409, "ran out of time");
    // A lone king cannot win, not even on time.
    let bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let path = server
        .begin(&json!({"position": bare, "level": "600", "time": {"kind": "clock", "seconds": 1, "increment": 0}}));
    server.post(&format!("{path}/moves"), &json!({"move": "e4"}));
    let game = server.wait_for(&path, |game| !game["end"].is_null());
    assert_eq!(game["end"]["result"], "1/2-1/2", "{game}");
}

#[test]
fn hints_contributions_and_events_are_sent() {
    let server = Server::start(&[]);
    let mate = "7k/R7/8/8/8/8/1R6/K7 w - - 0 80";
    let path = server.begin(&json!({"position": mate}));
    assert_eq!(server.post(&format!("{path}/hint"), &json!({"ply": 0})).status, 202);
    let game = server.wait_for(&path, |game| !game["hint"].is_null());
    assert_eq!((&game["hint"]["line"], &game["hint"]["evaluation"]["mate"]), (&json!("80. Rb8#"), &json!(1)));
    server.post(&format!("{path}/hint"), &json!({"ply": 3})).is_error(422, "expected a number from 0 to 0");
    let parts = server.post("/api/parts", &json!({"fen": mate})).json();
    let squares: Vec<_> = parts["pieces"].as_object().unwrap().keys().collect();
    assert_eq!(squares, ["a7", "b2"]);
    assert!(squares.iter().all(|square| Square::parse(square).is_some()));
    server.post("/api/parts", &json!({"fen": "x"})).is_error(422, "FEN");

    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    write!(stream, "GET {path}/events HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", server.port).unwrap();
    let mut games = BufReader::new(stream).lines().map_while(Result::ok).filter_map(|line| {
        let text = line.strip_prefix("data: ")?;
        serde_json::from_str::<Value>(text).ok()
    });
    assert_eq!(plies(&games.next().unwrap()), 0);
    server.post(&format!("{path}/moves"), &json!({"move": "Kb1"}));
    assert!(games.any(|game| plies(&game) == 2), "the engine's move is sent");
}

#[test]
fn ambiguous_chess960_castling_is_king_takes_rook() {
    let server = Server::start(&[]);
    let path = server.begin(&json!({"position": "4k3/8/8/8/8/8/8/5K1R w H - 0 1"}));
    let game = server.get(&path).json();
    let legal = game["legal"].as_array().unwrap();
    assert!(legal.contains(&json!("f1g1")) && legal.contains(&json!("f1h1")), "{game}");
    let game = server.post(&format!("{path}/moves"), &json!({"move": "f1h1"})).json();
    assert_eq!(game["stages"][1]["san"], "O-O");
}
