"""Games of a player against itself, and what is learned from them."""

import pickle

import numpy as np
import pytest

import tengen
from tengen import SelfplayGame


def play(games, **options):
    return tengen.selfplay(games, nodes=200, size=10, **options)


def test_games_depend_on_their_numbers_alone():
    one, two = list(play(6, threads=1)), list(play(6, threads=2))
    assert one == two and len({game.text for game in one}) > 1
    assert list(play(3, first=3)) == one[3:]
    assert list(play(2, seed=2)) != one[:2]


def test_a_game_tells_moves_scores_and_result():
    for game in play(4):
        assert game.rule == "freestyle" and game.size == 10
        assert len(game.moves) == len(game.scores) and game.result in (0, 0.5, 1)
        assert SelfplayGame(game.text) == SelfplayGame(str(game)) == game
        assert pickle.loads(pickle.dumps(game)) == game
        assert "moves, result" in repr(game)


def test_samples_are_what_the_searches_chose():
    for game in play(4):
        planes, moves, values = game.samples()
        positions = game.positions()
        assert len(planes) == len(moves) == len(values) == len(positions)
        assert planes.dtype == np.uint8 and moves.dtype == np.int64 and values.dtype == np.float32
        for position, seen, move, value in zip(positions, planes, moves, values):
            assert (position.planes() == seen).all()
            assert game.moves[len(position)] == tengen.move_name(int(move), 10)
            assert position.is_legal(int(move))
            assert value == (game.result if position.to_move == "black" else 1 - game.result)


def test_a_game_without_searches_has_no_samples():
    planes, moves, values = SelfplayGame("renju 9 e5 - 0.5").samples()
    assert planes.shape == (0, len(tengen.PLANES), 9, 9) and len(moves) == len(values) == 0


def test_taking_some_is_enough():
    games = play(1000)
    assert isinstance(games, tengen.SelfplayGames) and iter(games) is games
    assert next(games).size == 10
    del games


def test_what_is_no_game_is_refused():
    for text in ["", "hello", "freestyle 10 a1 - 2", "freestyle 10 a1a1 -,- 1"]:
        with pytest.raises(ValueError, match="is not a game"):
            SelfplayGame(text)
    for options in [{"player": "nobody"}, {"rule": "chess"}, {"size": 99}, {"nodes": 0}]:
        with pytest.raises(ValueError):
            tengen.selfplay(1, **options)
