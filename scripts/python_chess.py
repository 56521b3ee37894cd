"""Tests of the program with python-chess. Called by test-python-chess."""

import os
import sys
import time

import chess
import chess.engine
from chess.engine import Cp, Limit, Mate

ENGINE, NETWORK, LICHESS_BOT = sys.argv[1:]
LIVELY = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
checks = []


def check(function):
    """Runs each check with a new engine, which must exit without an error."""
    checks.append(function)
    return function


@check
def handshake(engine):
    """reports its name and the options that tools require"""
    assert engine.id["name"].startswith("Alfiere") and engine.id["author"]
    for name in ("Hash", "Threads", "MultiPV", "Move Overhead", "Ponder", "UCI_Chess960", "UCI_ShowWDL", "EvalFile"):
        assert name in engine.options, name


@check
def defaults(engine):
    """accepts the default of every option, and the ends of ranges that need few resources"""
    for name, option in engine.options.items():
        if option.is_managed():
            continue
        if option.type == "button":
            engine.configure({name: None})
            continue
        engine.configure({name: option.default})
        if option.type == "spin" and name not in ("Hash", "Threads"):
            for value in (option.min, option.max, option.default):
                engine.configure({name: value})
    engine.ping()
    assert engine.play(chess.Board(), Limit(depth=4)).move


@check
def lichess_bot(engine):
    """accepts the options of the lichess-bot example"""
    with open(LICHESS_BOT, encoding="utf-8") as file:
        block = file.read().split("  uci_options:\n")[1]
    options = {}
    for line in block.splitlines():
        if not line.startswith("    "):
            break
        name, value = line.split("#")[0].strip().split(": ")
        options[name] = {"true": True, "false": False}.get(value) if value in ("true", "false") else int(value)
    assert {"Move Overhead", "Threads", "Hash"} <= options.keys()
    engine.configure(options)
    assert engine.play(chess.Board(), Limit(time=0.05), ponder=True).move


@check
def refusals(engine):
    """declares ranges, so that python-chess rejects other values"""
    for options in ({"Hash": 0}, {"Threads": "many"}, {"No Such Option": 1}, {"Player": "nobody"}):
        try:
            engine.configure(options)
        except (chess.engine.EngineError, ValueError):
            continue
        raise AssertionError(f"{options} was accepted")


@check
def several_lines(engine):
    """analyses several lines, the best first, each with its moves"""
    board = chess.Board(LIVELY)
    infos = engine.analyse(board, Limit(depth=8), multipv=4)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4]
    scores = [info["score"].relative.score(mate_score=100_000) for info in infos]
    assert scores == sorted(scores, reverse=True)
    assert len({info["pv"][0] for info in infos}) == 4
    for info in infos:
        assert info["depth"] >= 8 and info["nodes"] > 0 and info["nps"] > 0 and 0 <= info["hashfull"] <= 1000
        line = board.copy()
        for move in info["pv"]:
            assert move in line.legal_moves
            line.push(move)


@check
def stream(engine):
    """searches until stopped, and answers once"""
    with engine.analysis(chess.Board()) as analysis:
        for _, info in zip(range(20), analysis):
            last = info
        analysis.stop()
        assert analysis.wait().move in chess.Board().legal_moves
    assert last.get("depth", 0) >= 1


@check
def game(engine):
    """plays a game against itself, with clocks, to the fiftieth move or its end"""
    board, clocks = chess.Board(), {chess.WHITE: 1.0, chess.BLACK: 1.0}
    while not board.is_game_over(claim_draw=True) and board.ply() < 100:
        limit = Limit(white_clock=clocks[True], black_clock=clocks[False], white_inc=0.02, black_inc=0.02)
        started = time.monotonic()
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        clocks[board.turn] += 0.02 - (time.monotonic() - started)
        assert clocks[board.turn] > -0.2, "far too late, even for a busy machine"
        assert result.move in board.legal_moves and "score" in result.info
        board.push(result.move)
    assert board.ply() > 10


@check
def ponder(engine):
    """ponders, with a ponder hit and a ponder miss"""
    board, hits = chess.Board(), 0
    for number in range(12):
        result = engine.play(board, Limit(white_clock=2, black_clock=2), ponder=True)
        board.push(result.move)
        expected = result.ponder
        reply = expected if expected and number % 2 == 0 else list(board.legal_moves)[-1]
        hits += reply == expected
        board.push(reply)
        if board.is_game_over():
            break
    assert hits >= 4


@check
def chess960(engine):
    """plays Chess960 and castles as king takes rook"""
    for number in (0, 356, 959):
        board = chess.Board.from_chess960_pos(number)
        for _ in range(40):
            if board.is_game_over():
                break
            board.push(engine.play(board, Limit(nodes=1500)).move)
    board = chess.Board("4k3/8/8/8/8/8/3PPP2/R3K2R w HA - 0 1", chess960=True)
    castles = [chess.Move.from_uci("e1h1"), chess.Move.from_uci("e1a1")]
    assert engine.play(board, Limit(depth=5), root_moves=castles).move in castles


@check
def mates(engine):
    """finds mates with complete lines, and has no move in finished games"""
    board = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    info = engine.analyse(board, Limit(depth=8))
    assert info["score"].relative == Mate(2), info["score"]
    line = board.copy()
    for move in info["pv"]:
        line.push(move)
    assert line.is_checkmate() and len(info["pv"]) == 3
    for fen, score in (("R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", Mate(0)), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Cp(0))):
        assert engine.analyse(chess.Board(fen), Limit(depth=3))["score"].relative == score
        assert engine.play(chess.Board(fen), Limit(depth=3)).move is None


@check
def clocks(engine):
    """answers with one clock only, and without remaining time"""
    for limit in (Limit(white_clock=0.1), Limit(black_clock=0.1), Limit(white_clock=0.001, black_clock=0.001)):
        for board in (chess.Board(), chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")):
            assert engine.play(board, limit).move in board.legal_moves


@check
def chances(engine):
    """reports WDL with UCI_ShowWDL"""
    engine.configure({"UCI_ShowWDL": True})
    wdl = engine.analyse(chess.Board(), Limit(depth=6))["wdl"].white()
    assert wdl.total() == 1000 and wdl.wins > wdl.losses


@check
def network(engine):
    """loads another network, and searches nothing after a file that is not one until there is one again"""
    engine.configure({"EvalFile": os.path.abspath(NETWORK)})
    assert engine.play(chess.Board(), Limit(depth=4)).move
    engine.configure({"EvalFile": "/nowhere/none.nnue"})
    assert not engine.play(chess.Board(), Limit(depth=4)).move
    engine.configure({"EvalFile": os.path.abspath(NETWORK)})
    assert engine.play(chess.Board(), Limit(depth=4)).move


@check
def nonsense(engine):
    """survives invalid input"""
    for line in ("", "xyzzy", "position fen 8/8 w - -", "position startpos moves e2e5", "setoption name Hash value x",
                 "go depth", "stop", "ponderhit", "\u265e " * 1000):
        engine.protocol.loop.call_soon_threadsafe(engine.protocol.send_line, line)
    engine.protocol.loop.call_soon_threadsafe(engine.protocol.send_line, "stop")
    time.sleep(0.2)
    engine.ping()
    assert engine.play(chess.Board(LIVELY), Limit(depth=4)).move in chess.Board(LIVELY).legal_moves


for function in checks:
    engine = chess.engine.SimpleEngine.popen_uci(os.path.abspath(ENGINE), timeout=60)
    try:
        function(engine)
    finally:
        engine.quit()
    assert engine.returncode.result(timeout=10) == 0, "the program did not end well"
    print(f"ok   {function.__name__:14} {function.__doc__}", flush=True)
print(f"{len(checks)} of {len(checks)} with python-chess {chess.__version__}")
