"""A game of the engine as lichess-bot plays it, with our example configuration. Run by lichess-bot's pytest, in its folder."""

import datetime
import logging
import os
import pathlib
import random
import time

import chess
import yaml
from lib import config

from test_bot import test_bot

EXAMPLE = pathlib.Path(os.environ["ALFIERE_CONFIG"])
CLOCK, INCREMENT = datetime.timedelta(seconds=30), datetime.timedelta(seconds=0.5)
played = chess.Board()


def random_opponent(moves, boards, clocks, results):
    """White plays random moves, and sends the board and the clocks after each, as lichess-bot's own opponent does."""
    choices, times = random.Random(1), {chess.WHITE: CLOCK, chess.BLACK: CLOCK}

    def send():
        boards.put(played.copy())
        clocks.put((times[chess.WHITE], times[chess.BLACK], INCREMENT))

    while not played.is_game_over():
        if played.turn == chess.WHITE:
            played.push(choices.choice(list(played.legal_moves)))
            send()
            continue
        asked = time.monotonic()
        while (move := moves.get()) is None:  # The bot has opened the stream again.
            send()
            moves.task_done()
        assert move in played.legal_moves, f"{move} in {played.fen()}"
        if played.ply() > 2:
            times[chess.BLACK] += INCREMENT - datetime.timedelta(seconds=time.monotonic() - asked)
        played.push(move)
        moves.task_done()
    send()
    print(f"{played.result()} after {played.ply()} half-moves, {times[chess.BLACK].total_seconds():.1f} s left")
    results.put(played.is_checkmate() and played.turn == chess.WHITE and times[chess.BLACK] > datetime.timedelta())


def merge(defaults, own):
    """Replaces values of the defaults, section by section."""
    for key, value in own.items():
        if isinstance(value, dict) and isinstance(defaults.get(key), dict):
            merge(defaults[key], value)
        else:
            defaults[key] = value


def test_alfiere(monkeypatch, tmp_path):
    """The example configuration is valid, and the engine wins with it in time against random moves."""
    settings = yaml.safe_load(pathlib.Path("config.yml.default").read_text(encoding="utf-8"))
    merge(settings, yaml.safe_load(EXAMPLE.read_text(encoding="utf-8")))
    settings["pgn_directory"] = str(tmp_path)
    full = tmp_path / "config.yml"
    full.write_text(yaml.safe_dump(settings), encoding="utf-8")
    config.load_config(str(full))  # Raises if it is not valid.
    settings["engine"]["uci_options"].pop("SyzygyPath", None)
    monkeypatch.setattr(test_bot, "lichess_org_simulator", random_opponent)
    assert test_bot.run_bot(settings, logging.WARNING), f"{played.fen()}: not won in time"
