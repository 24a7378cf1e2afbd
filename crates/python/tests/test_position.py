"""Rules and positions."""

import copy
import pickle
import random

import numpy as np
import pytest

import tengen
from tengen import Position


def test_moves_are_written_in_three_ways():
    for move in ["h8", "H8", (7, 7), [7, 7], 112, np.int64(112)]:
        assert Position().play(move).moves == ["h8"]
    assert Position(["h8", (8, 8), 96]).moves == ["h8", "i9", "g7"]
    assert tengen.move_name(0, size=9) == "a1"


@pytest.mark.parametrize(
    "move, error, words",
    [
        ("h88", ValueError, "h88"),
        ("p1", ValueError, "15x15"),
        ((15, 0), ValueError, "not on a board"),
        (-1, ValueError, "not on a board"),
        (225, ValueError, "not on a board"),
        (None, TypeError, "Expected a move"),
        (1.5, TypeError, "Expected a move"),
        ((1, 2, 3), TypeError, "Expected a move"),
        ("h8", ValueError, "occupied"),
    ],
)
def test_what_is_no_move_is_refused_with_a_sentence(move, error, words):
    with pytest.raises(error, match=words):
        Position("h8").play(move)


@pytest.mark.parametrize(
    "arguments",
    [
        {"rule": "chess"},
        {"size": 4},
        {"size": 23},
        {"size": -1},
        {"moves": "h8h8"},
        {"moves": "hello"},
        {"moves": "b:h8"},
    ],
)
def test_what_is_no_position_is_refused_with_a_sentence(arguments):
    with pytest.raises(ValueError) as told:
        Position(**arguments)
    assert str(told.value).endswith(".")


def test_positions_do_not_change():
    before = Position("h8")
    after = before.play("i9")
    assert (len(before), len(after)) == (1, 2)
    assert after.undo() == before
    assert after.last_move == "i9" and before.undo().last_move is None
    assert before.passed().undo() == Position()
    with pytest.raises(ValueError, match="taken back"):
        before.undo(2)


def test_equality_is_of_stones_side_and_rule():
    one, other = Position("h8 a1 i9"), Position("i9 a1 h8")
    assert one == other and hash(one) == hash(other) and one.key == other.key
    assert one != Position("h8 a1 i9", rule="renju")
    assert one != one.passed()
    assert one != "h8a1i9"
    assert len({one, other, one.passed()}) == 2


@pytest.mark.parametrize(
    "position",
    [
        Position("h8 i9 g9", rule="renju"),
        Position("b:h8,g9 w:i9 b", size=9).play("a1"),
        Position("h8 h9 i8 i9 j8 j9 k8 k9 l8"),
        Position("h8").passed().play("h9"),
    ],
)
def test_copies_and_pickles_are_the_same(position):
    for twin in [
        pickle.loads(pickle.dumps(position)),
        copy.copy(position),
        copy.deepcopy(position),
        Position(position.text, position.rule, position.size),
    ]:
        assert twin == position
        assert twin.outcome == position.outcome
    assert pickle.loads(pickle.dumps(Position("h8 i9"))).moves == ["h8", "i9"]
    # A foul decides a game although the stones alone do not say so.
    crossing = Position("b:g8,i8,h7,h9 w:a1,c1,e1,o15 b", rule="renju").play("h8")
    assert pickle.loads(pickle.dumps(crossing)).outcome == crossing.outcome == "forbidden"


def test_legal_moves_and_mask_agree():
    position = Position("b:g8,i8,h7,h9 w:a1,c1,e1,o15 b", rule="renju")
    mask = position.legal_mask()
    assert mask.dtype == bool and mask.shape == (225,)
    assert [tengen.move_name(int(i)) for i in np.flatnonzero(mask)] == position.legal_moves()
    assert not position.is_legal("h8") and position.is_legal("h10")
    assert position.forbidden() == {"h8": "double three"}
    assert position.passed().forbidden() == {}
    won = position.play("h8")
    assert (won.winner, won.outcome, won.is_over) == ("white", "forbidden", True)
    assert won.legal_moves() == [] and not won.legal_mask().any()
    with pytest.raises(ValueError, match="over"):
        won.play("a2")


def test_the_reasons_why_points_are_forbidden():
    overline = Position("b:c8,d8,e8,g8,h8 w:a1,a3,a5,a7,a9 b", rule="renju")
    assert overline.forbidden() == {"f8": "overline"}
    fours = Position("b:e8,f8,g8,h9,h10,h11 w:d8,h12,a1,a3,a5,a7 b", rule="renju")
    assert fours.forbidden()["h8"] == "double four"


def test_a_win_has_a_line_and_a_draw_has_none():
    won = Position("h8 h9 i8 i9 j8 j9 k8 k9").play("l8")
    assert won.winning_line == ["h8", "i8", "j8", "k8", "l8"]
    # Six in a row win in freestyle alone.
    for rule, outcome in [("freestyle", "five"), ("standard", None)]:
        six = Position.from_stones(["a1", "b1", "c1", "e1", "f1"], [], rule=rule).play("d1")
        assert six.outcome == outcome
    finished = next(
        end for end in (Position(size=5).playout(seed) for seed in range(100)) if not end.winner
    )
    assert (finished.outcome, finished.winning_line, len(finished)) == ("draw", [], 25)


def test_stones_and_arrays():
    position = Position.from_stones(["h8", (6, 8)], ["i9"], to_move="white", rule="caro")
    assert position.black == ["h8", "g9"] and position.white == ["i9"]
    assert position["i9"] == "white" and position["a1"] is None
    board = position.board()
    assert board.dtype == np.int8 and (board[7, 7], board[8, 8]) == (1, -1)
    assert Position.from_array(board, to_move="white", rule="caro") == position
    assert Position.from_array([[0] * 5] * 5).size == 5
    for bad in ([[0] * 5] * 6, [[0, 0], [0]], np.full((9, 9), 3)):
        with pytest.raises(ValueError):
            Position.from_array(bad)
    with pytest.raises(ValueError, match="occupied"):
        Position.from_stones(["h8"], ["h8"])
    with pytest.raises(ValueError, match="color"):
        Position.from_stones([], [], to_move="red")


def test_symmetries_take_moves_along():
    position = Position("h8 i10 c3", rule="renju")
    images = position.symmetries()
    assert len(images) == len(set(images)) == 8 and images[0] == position
    for k, image in enumerate(images):
        assert image == position.transformed(k)
        assert image.moves == [tengen.transform(move, k) for move in position.moves]
        assert image.canonical() == position.canonical()
    with pytest.raises(ValueError, match="0 to 7"):
        position.transformed(8)


def test_planes_say_what_their_names_say():
    position = Position("h8 a1 i8 c1 j8 e1", rule="renju")
    planes = dict(zip(tengen.PLANES, position.planes()))
    assert all(plane.dtype == np.uint8 and plane.shape == (15, 15) for plane in planes.values())
    board = position.board()
    assert (planes["own"] == (board == 1)).all() and (planes["other"] == (board == -1)).all()
    assert (planes["legal"].ravel() == position.legal_mask()).all()
    assert planes["black_to_move"].all() and planes["last_move"].sum() == planes["last_move"][0, 4]
    threats = position.threats("black")
    for kind in ["five", "open four", "four", "open three"]:
        plane = planes["own_" + kind.replace(" ", "_")]
        found = {tengen.move_name(int(i)) for i in np.flatnonzero(plane)}
        assert found == {move for move, threat in threats.items() if threat == kind}, kind
    assert {"g8", "k8"} <= {move for move, threat in threats.items() if threat == "open four"}
    swapped = dict(zip(tengen.PLANES, position.passed().planes()))
    assert (swapped["other_open_four"] == planes["own_open_four"]).all()
    assert not swapped["black_to_move"].any()
    foul = Position("b:g8,i8,h7,h9 w:a1,c1,e1,o15 b", rule="renju")
    assert foul.planes()[tengen.PLANES.index("forbidden")][7, 7] == 1


def test_planes_of_many_positions():
    positions = [Position("h8").playout(seed) for seed in range(3)]
    assert (tengen.planes(positions) == np.stack([p.planes() for p in positions])).all()
    assert tengen.planes([]).shape[0] == 0
    with pytest.raises(ValueError, match="one size"):
        tengen.planes([Position(size=9), Position(size=15)])


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro", "caro-exact"])
def test_random_games_are_the_same_step_by_step(rule):
    chance = random.Random(rule)
    for _ in range(5):
        position = Position(rule=rule, size=9)
        while not position.is_over and (moves := position.legal_moves()):
            position = position.play(chance.choice(moves))
        again = Position(position.moves, rule, 9)
        assert again == position and again.outcome == position.outcome
        assert position.undo(len(position)) == Position(rule=rule, size=9)


def test_playouts_depend_on_the_seed_alone():
    assert Position().playout(3).moves == Position().playout(3).moves
    assert Position().playout(3).moves != Position().playout(4).moves


def test_text_for_people():
    position = Position("h8", size=9)
    assert repr(position) == "Position('h8', rule='freestyle', size=9)"
    assert eval(repr(position)) == position
    assert "X" in str(position) and len(str(position).splitlines()) == 10
