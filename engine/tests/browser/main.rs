//! Tests of the page in a real browser, started by `scripts/test-play`: whole games by clicks, keys and drags, on
//! desktop and phone screens, in both themes.
#![cfg(feature = "play")]
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

#[path = "../http/mod.rs"]
mod http;
mod webdriver;

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{CastlingNotation, format_uci_move, has_legal_move, legal_moves, parse_uci_move};
use alfiere_chess::types::PieceKind;
use alfiere_search::engine::{Engine, Position};
use alfiere_search::search::{Limits, Silent};
use http::Server;
use serde_json::{Value, json};
use webdriver::{Browser, Screen};

/// White mates after the promotion against any reply, because Black always has a single legal move.
const MATE_AFTER_PROMOTION: &str = "7k/P7/6K1/8/8/8/8/8 w - - 0 1";
/// A game that is long enough for screenshots.
const SPANISH: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 \
                       11. d4 Qc7 12. Nbd2 cxd4 13. cxd4 Nc6 14. Nb3 a5 15. Be3 a4 16. Nbd2 Bd7 17. Rc1 Qb8 18. d5 Nb4 19. Bb1 *";

fn moves(browser: &Browser) -> usize {
    browser.script("return document.querySelectorAll('.move').length").as_u64().unwrap() as usize
}

/// Waits until this number of moves is played and all animations are finished.
fn wait_for_moves(browser: &Browser, count: usize) {
    browser.wait(&format!("document.querySelectorAll('.move').length === {count}"));
}

fn square(name: &str) -> String {
    format!("[data-square={name}]")
}

fn play(browser: &Browser, from: &str, to: &str) {
    browser.click(&square(from));
    browser.click(&square(to));
}

fn status(browser: &Browser) -> String {
    browser.script("return document.getElementById('status-text').textContent").as_str().unwrap().to_owned()
}

/// Fills in the form of a new game and starts the game.
fn begin(browser: &Browser, server: &Server, position: &str, player: &str) {
    browser.open(&format!("http://127.0.0.1:{}/", server.port));
    browser.wait("!document.getElementById('setup').hidden");
    browser.script(&format!("document.querySelector('[name=player][value={player}]').click()"));
    browser.script(
        "const level = document.getElementById('level'); level.value = 0; \
                    level.dispatchEvent(new Event('input', {bubbles: true}))",
    );
    if !position.is_empty() {
        browser.click("#setup summary");
        browser.write("#position", position);
    }
    browser.click("#setup [type=submit]");
    browser.wait("location.search.startsWith('?game=') && !document.getElementById('play').hidden");
}

/// The game shown, as the browser keeps it.
fn kept(browser: &Browser) -> Value {
    let text =
        browser.script("return localStorage.getItem('local-game-' + new URLSearchParams(location.search).get('game'))");
    serde_json::from_str(text.as_str().unwrap()).unwrap()
}

/// The position after the moves of a game from the initial position.
fn position(game: &Value) -> Board {
    let mut board = Board::startpos();
    for uci in game["moves"].as_array().unwrap() {
        board.play(parse_uci_move(&board, uci.as_str().unwrap()).unwrap());
    }
    board
}

#[test]
#[ignore = "needs Chromium and chromedriver: scripts/test-play"]
fn moves_can_be_played_in_every_way() {
    let server = Server::start(&[]);
    let browser = Browser::start(Screen::Desktop);
    begin(&browser, &server, "", "nnue");
    browser.wait("document.querySelectorAll('.piece').length >= 32");
    browser.click(&square("g1"));
    let targets =
        browser.script("return [...document.querySelectorAll('.target')].map(cell => cell.dataset.square).sort()");
    assert_eq!(targets, json!(["f3", "h3"]), "legal moves are shown");
    browser.picture("selected");
    browser.click(&square("f3"));
    wait_for_moves(&browser, 2);
    browser.wait("document.getElementById('live').textContent.includes('White: knight f3')");

    // By drag, by keyboard, as text.
    browser.drag(&square("e2"), &square("e3"));
    wait_for_moves(&browser, 4);
    browser.script("document.querySelector('[data-square=a2]').focus()");
    browser.keys("\u{E007}\u{E013}\u{E007}");
    wait_for_moves(&browser, 6);
    browser.write("#typed-move", "Rg1\u{E007}");
    wait_for_moves(&browser, 8);
    browser.write("#typed-move", "Rg9\u{E007}");
    browser.wait("!document.getElementById('toast').hidden");
    assert_eq!(moves(&browser), 8);

    // Navigate back and forward by keyboard.
    browser.script("document.activeElement.blur(); document.getElementById('typed-move').value = ''");
    browser.keys("\u{E012}\u{E012}");
    let current = "[...document.querySelectorAll('.move')].findIndex((move) => move.ariaCurrent)";
    browser.wait(&format!("{current} === 5"));
    browser.keys("\u{E010}");
    browser.wait(&format!("{current} === 7"));

    // Taking back and reloading keep the game.
    browser.click("#takeback");
    wait_for_moves(&browser, 6);
    browser.reload();
    wait_for_moves(&browser, 6);
    assert_eq!(status(&browser), "Your move");
    browser.click("#hint");
    browser.wait("document.querySelector('.arrow line') !== null");
    browser.click("#parts");
    browser.wait("document.querySelectorAll('.label').length >= 20");
    browser.picture("hint");
    browser.click("#flip");
    browser.wait("document.querySelector('.square').dataset.square === 'h1'");
    browser.click("#flip");
    browser.click("#resign");
    browser.accept_question();
    browser.wait("document.getElementById('status-text').textContent === 'White resigned. Alfiere wins.'");
    browser.click("#rematch");
    browser.wait("document.querySelector('.square')?.dataset.square === 'h1'");
    wait_for_moves(&browser, 1);
    browser.has_no_errors();
}

/// The person's move: until a pawn is promoted, the best pawn move that does not end the game, otherwise another such
/// move; then the best move.
fn choose<'a>(engine: &mut Engine, board: &Board, legal: &'a [String], has_promoted: bool) -> &'a str {
    let after = |uci: &String| {
        let mut board = board.clone();
        board.play(parse_uci_move(&board, uci).unwrap());
        board
    };
    let mut candidates: Vec<&String> = legal.iter().collect();
    if !has_promoted {
        candidates.retain(|uci| has_legal_move(&after(uci)));
        if let Some(uci) = candidates.iter().find(|uci| uci.ends_with('q')) {
            return uci;
        }
        let is_pawns = |uci: &String| board.moved(parse_uci_move(board, uci).unwrap()).kind() == PieceKind::Pawn;
        let pawns: Vec<&String> = candidates.iter().copied().filter(|uci| is_pawns(uci)).collect();
        candidates = if pawns.is_empty() { candidates } else { pawns };
    }
    engine.set_position(Position::new(board.clone()));
    let moves = candidates.iter().map(|uci| parse_uci_move(board, uci).unwrap()).collect();
    let limits = Limits { search_moves: moves, ..Limits::nodes(3_000) };
    let best = engine.search(&limits, &mut Silent).unwrap().best.unwrap();
    candidates.into_iter().find(|uci| parse_uci_move(board, uci).unwrap() == best).unwrap()
}

#[test]
#[ignore = "needs Chromium and chromedriver: scripts/test-play"]
fn a_whole_game_is_played_by_clicks() {
    let server = Server::start(&[]);
    let browser = Browser::start(Screen::DesktopDark);
    begin(&browser, &server, "", "random");
    let page = browser.script("return location.href").as_str().unwrap().to_owned();
    let mut engine = Engine::new();
    let (mut has_promoted, mut is_interrupted) = (false, false);
    loop {
        browser.wait("/^(Your move|You are in check|.* You win!|.*: a draw\\.)$/.test(document.getElementById('status-text').textContent)");
        let game = kept(&browser);
        let (board, played) = (position(&game), game["moves"].as_array().unwrap().len());
        browser.wait(&format!("document.querySelectorAll('.move').length === {played}"));
        if browser.script("return document.getElementById('status').classList.contains('over')") == true {
            break;
        }
        if played == 12 && !is_interrupted {
            is_interrupted = true;
            // Take back a move, start another game, and reload the page.
            browser.click("#takeback");
            wait_for_moves(&browser, 10);
            begin(&browser, &server, MATE_AFTER_PROMOTION, "beam");
            browser.open(&page);
            browser.reload();
            wait_for_moves(&browser, 10);
            continue;
        }
        let legal: Vec<String> = legal_moves(&board)
            .into_iter()
            .map(|mv| format_uci_move(mv, CastlingNotation::Standard).to_string())
            .collect();
        let uci = choose(&mut engine, &board, &legal, has_promoted);
        play(&browser, &uci[0..2], &uci[2..4]);
        if uci.len() == 5 {
            has_promoted = true;
            browser.click(&format!("[data-promotion={}]", &uci[4..]));
        }
        browser.wait(&format!("document.querySelectorAll('.move').length > {played}"));
    }
    assert!(has_promoted && is_interrupted);
    browser.wait("document.getElementById('status-text').textContent === 'Checkmate. You win!'");
    // The evaluation is that of a mate, and no square is focused.
    browser.wait("document.querySelector('.bar-text').textContent === '#'");
    assert_eq!(browser.script("return document.activeElement === document.body"), true);
    // FEN and PGN of the game.
    browser.picture("whole-game");
    browser.click("#share summary");
    browser.wait("document.getElementById('pgn').value.trim().endsWith('1-0')");
    let pgn = browser.script("return document.getElementById('pgn').value").as_str().unwrap().to_owned();
    assert!(pgn.contains("[Black \"Alfiere (random)\"]") && pgn.contains("=Q") && pgn.contains('#'), "{pgn}");
    let captures = pgn.matches('x').count();
    browser.wait(&format!("document.querySelectorAll('.taken svg').length === {captures}"));
    let fen = browser.script("return document.getElementById('fen').value");
    assert!(!has_legal_move(&Board::from_fen(fen.as_str().unwrap()).unwrap()), "{fen}");
    browser.click("[data-copy=pgn]");
    browser.wait("document.querySelector('[data-copy=pgn]').textContent === 'Copied'");
    browser.has_no_errors();
    drop(browser);

    // Replay the game on a phone screen.
    let browser = Browser::start(Screen::Phone);
    begin(&browser, &server, &pgn, "nnue");
    // The text is wrapped, sometimes after a move number.
    let white_moves = pgn.split_whitespace().filter(|word| word.ends_with('.') && !word.ends_with("..")).count();
    wait_for_moves(&browser, white_moves * 2 - 1);
    browser.picture("phone-mate");
    for _ in 0..9 {
        browser.click("#step-back");
    }
    browser.click("#hint");
    browser.wait("document.querySelector('.arrow line') !== null");
    browser.click("#parts");
    browser.wait("document.querySelectorAll('.label').length >= 3");
    browser.picture("phone-analysis");
    browser.has_no_errors();
}

#[test]
#[ignore = "needs Chromium and chromedriver: scripts/test-play"]
fn a_promotion_can_mate() {
    let server = Server::start(&[]);
    let browser = Browser::start(Screen::Desktop);
    begin(&browser, &server, MATE_AFTER_PROMOTION, "nnue");
    browser.wait("document.querySelectorAll('.piece').length >= 3");
    play(&browser, "a7", "a8");
    browser.wait("!document.querySelector('.promotion').hidden");
    browser.picture("promotion");
    // Escape cancels the promotion.
    browser.keys("\u{E00C}");
    browser.wait("document.querySelector('.promotion').hidden");
    assert_eq!(moves(&browser), 0);
    // By keyboard: the focus stays on the dialog until a piece is chosen.
    browser.script("document.querySelector('[data-square=a7]').focus()");
    browser.keys("\u{E007}\u{E013}\u{E007}");
    browser.wait("document.activeElement.dataset.promotion === 'q'");
    browser.keys("\u{E013}\u{E004}\u{E004}");
    browser.wait("document.activeElement.dataset.promotion === 'r'");
    browser.keys("\u{E007}");
    wait_for_moves(&browser, 1);
    browser.wait("document.getElementById('status-text').textContent === 'Checkmate. You win!'");
    browser.picture("mate");
    // A finished game stays as it is.
    assert_eq!(browser.script("return document.getElementById('takeback').disabled"), true);
    begin(&browser, &server, MATE_AFTER_PROMOTION, "nnue");
    browser.wait("document.querySelectorAll('.piece').length >= 3");
    play(&browser, "a7", "a8");
    browser.click("[data-promotion=n]");
    wait_for_moves(&browser, 1);
    browser.wait("document.getElementById('status-text').textContent === 'Insufficient material: a draw.'");
    browser.has_no_errors();
}

#[test]
#[ignore = "needs Chromium and chromedriver: scripts/test-play"]
fn the_cross_table_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    // Match results without the fields that the page does not read.
    let matches = [
        ("network", "classical", 46, 3, 1),
        ("network", "perceptron", 49, 1, 0),
        ("classical", "perceptron", 38, 9, 3),
        ("classical", "random", 50, 0, 0),
        ("perceptron", "random", 48, 2, 0),
    ];
    let files: Vec<String> = matches.iter().enumerate().map(|(index, &(first, second, wins, draws, losses))| {
        let path = folder.path().join(format!("{index}.json"));
        let result = json!({"players": [{"name": first}, {"name": second}], "games": {"wins": wins, "draws": draws, "losses": losses}});
        std::fs::write(&path, result.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    }).collect();
    let arguments: Vec<&str> = std::iter::once("--results").chain(files.iter().map(String::as_str)).collect();
    let server = Server::start(&arguments);
    for (screen, name) in [
        (Screen::Desktop, "tournament"),
        (Screen::PhoneDark, "tournament-phone-dark"),
        (Screen::SmallPhone, "tournament-small-phone"),
    ] {
        let browser = Browser::start(screen);
        browser.open(&format!("http://127.0.0.1:{}/tournament", server.port));
        browser.wait("document.querySelectorAll('tbody tr').length === 4");
        let first = browser.script("return document.querySelector('tbody th').textContent");
        assert_eq!(first, Value::from("network"));
        browser.has_no_overflow(name);
        browser.picture(name);
        browser.has_no_errors();
    }
}

#[test]
#[ignore = "needs Chromium and chromedriver: scripts/test-play"]
fn the_page_fits_every_screen() {
    let server = Server::start(&[]);
    for (screen, name) in [
        (Screen::Desktop, "desktop"),
        (Screen::DesktopDark, "desktop-dark"),
        (Screen::Phone, "phone"),
        (Screen::PhoneDark, "phone-dark"),
        (Screen::SmallPhone, "small-phone"),
    ] {
        let browser = Browser::start(screen);
        browser.open(&format!("http://127.0.0.1:{}/", server.port));
        browser.wait("!document.getElementById('setup').hidden");
        for choice in ["[name=side][value=black]", "[name=time][value=clock]"] {
            browser.script(&format!("document.querySelector('{choice}').click()"));
        }
        browser.script(&format!("document.getElementById('position').value = '{SPANISH}'"));
        browser.script("document.querySelector('#setup [type=submit]').click()");
        browser
            .wait("document.querySelectorAll('.move').length >= 37 && document.querySelectorAll('.piece').length > 20");
        browser.wait("document.getElementById('pgn').value.split('[%eval').length > 37");
        let theme = browser.script("return document.documentElement.dataset.theme");
        assert_eq!(theme, if matches!(screen, Screen::DesktopDark | Screen::PhoneDark) { "dark" } else { "light" });
        browser.click("#hint");
        browser.click("#parts");
        browser.wait("document.querySelector('.arrow line') && document.querySelectorAll('.label').length > 20");
        browser.script("scrollTo(0, 0)");
        browser.picture(name);
        // Every control has an accessible name.
        browser.has_no_overflow(name);
        let nameless = browser.script(
            "return [...document.querySelectorAll('button, input, textarea, a')].filter(element => element.offsetParent \
             && !(element.textContent.trim() || element.getAttribute('aria-label') || element.labels?.length)).map(element => element.outerHTML)",
        );
        assert_eq!(nameless, json!([]), "{name}");
        browser.open(&format!("http://127.0.0.1:{}/", server.port));
        browser.wait("!document.getElementById('setup').hidden");
        browser.picture(&format!("{name}-setup"));
        // Each player has its own levels; the random player has only one.
        let level = || {
            browser.script(
                "const level = document.getElementById('level'); \
             return level.offsetParent ? document.getElementById('level-title').textContent : null",
            )
        };
        assert_eq!(level(), "About 1400 Elo", "{name}");
        browser.script("document.querySelector('[name=player][value=random]').click()");
        assert_eq!(level(), Value::Null, "{name}");
        browser.script("document.querySelector('[name=player][value=beam]').click()");
        assert_eq!(level(), "Searches no more positions than the network at 1400 Elo", "{name}");
        browser.has_no_errors();
    }
    let browser = Browser::start(Screen::Desktop);
    browser.open(&format!("http://127.0.0.1:{}/tournament", server.port));
    browser.wait("document.querySelector('#table pre') !== null");
    browser.picture("tournament-empty");
    browser.open(&format!("http://127.0.0.1:{}/?game=0", server.port));
    browser.wait("!document.getElementById('gone').hidden");
    let title = browser.script("return document.querySelector('#gone h1').textContent");
    assert_eq!(title, Value::from("This game is not here"));
    browser.picture("gone");
}

#[test]
#[ignore = "needs Chromium and chromedriver: scripts/test-play"]
fn a_game_survives_its_server() {
    let server = Server::start(&[]);
    let browser = Browser::start(Screen::Desktop);
    begin(&browser, &server, "1. e4 e5", "random");
    let status = |words: &str| format!("document.getElementById('status-text').textContent === '{words}'");
    browser.wait(&status("Your move"));
    play(&browser, "g1", "f3");
    wait_for_moves(&browser, 4);
    let port = server.port;
    drop(server);
    // A move cannot be checked; it is not lost when the program is back, and the page goes on without a reload.
    play(&browser, "f3", "g1");
    browser.wait("!document.getElementById('toast').hidden");
    browser.wait("document.getElementById('toast').textContent.startsWith('The server is not responding')");
    browser.picture("lost");
    let start = || Server::start(&["--port", &port.to_string()]);
    let server = start();
    play(&browser, "f3", "g1");
    wait_for_moves(&browser, 6);
    browser.wait(&status("Your move"));
    drop(server);
    // It goes on after a reload, too.
    let server = start();
    browser.reload();
    wait_for_moves(&browser, 6);
    play(&browser, "g1", "f3");
    wait_for_moves(&browser, 8);
    // The program ends while it thinks.
    browser.open(&format!("http://127.0.0.1:{port}/"));
    browser.wait("!document.getElementById('setup').hidden");
    browser.script(
        "document.querySelector('[name=time][value=move]').click(); document.querySelector('[name=movetime]').value = 3; \
         const level = document.getElementById('level'); level.value = level.max; \
         level.dispatchEvent(new Event('input', {bubbles: true}))",
    );
    browser.click("#setup [type=submit]");
    browser.wait(&status("Your move"));
    play(&browser, "e2", "e4");
    browser.wait(&status("Alfiere is thinking"));
    drop(server);
    browser.wait("document.getElementById('status-text').textContent.startsWith('The server is not responding')");
    let _server = start();
    wait_for_moves(&browser, 2);
    browser.wait(&status("Your move"));
}
