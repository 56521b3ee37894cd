"""Checks games of `alfiere match` with python-chess: every move, the result, and the reason of the end.

Usage: referee.py GAMES.pgn...      called by self-play and clock

Each game must end at the first position where the rules end it, with the result and the reason that python-chess finds
there. Prints the counts; the exit status is 1 if a game is wrong or a player was at fault (illegal move, time, crash).
"""

import collections
import sys

import chess
import chess.pgn

FAULTS = ("illegal", "time", "crash")
MAX_PLIES = 600


def end_by_rules(board: chess.Board) -> tuple[str, str] | None:
    """The result and the reason if the rules end the game in this position."""
    if not any(board.legal_moves):
        if not board.is_check():
            return "1/2-1/2", "stalemate"
        return ("0-1" if board.turn == chess.WHITE else "1-0"), "checkmate"
    if board.is_insufficient_material():
        return "1/2-1/2", "insufficient material"
    if board.halfmove_clock >= 100:
        return "1/2-1/2", "fifty moves"
    if board.is_repetition(3):
        return "1/2-1/2", "threefold repetition"
    return None


def judge(game: chess.pgn.Game) -> tuple[str, str, int]:
    """The stated reason, the error ("" if there is none), and the number of plies of a game."""
    node = game.end()
    reason = node.comment.rpartition("}")[2].strip().splitlines()[-1] if node.comment else ""
    if game.errors:
        return reason, f"illegal move: {game.errors[0]}", 0
    board, end = game.board(), None
    moves = list(game.mainline_moves())
    for number, move in enumerate(moves):
        if end := end_by_rules(board):
            return reason, f"over by {end[1]} at ply {number} of {len(moves)}", len(moves)
        board.push(move)
    end = end_by_rules(board)
    if end is None and len(moves) >= MAX_PLIES:
        end = ("1/2-1/2", "too long")
    stated = (game.headers["Result"], reason)
    if end is None and game.headers["Termination"] != "normal":
        return game.headers["Termination"], "", len(moves)
    if end is None or end[0] != stated[0] or not stated[1].endswith(end[1]):
        return reason, f"stated {stated}, found {end}", len(moves)
    return end[1], "", len(moves)


def main() -> int:
    reasons, problems, plies, distinct = collections.Counter(), [], 0, set()
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                reason, problem, length = judge(game)
                reasons[reason] += 1
                plies += length
                distinct.add((game.headers.get("FEN"), tuple(game.mainline_moves())))
                faults = game.headers["Termination"] not in ("normal", "adjudication")
                if problem or faults:
                    problems.append(f"{path} round {game.headers['Round']}: {problem or reason}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{sum(reasons.values())} games ({len(distinct)} different), {plies} plies, {len(problems)} problems")
    print(", ".join(f"{name} {count}" for name, count in reasons.most_common()))
    return 1 if problems or not reasons else 0


sys.exit(main())
