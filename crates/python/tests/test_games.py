"""Games and records."""

import copy
import pickle

import pytest

import tengen
from tengen import Game, Position, Record


def test_a_game_is_played_and_taken_back():
    game = Game(black="Ann", rule="standard", size=9)
    for move in ["e5", "e6", "d5"]:
        game.play(move)
    assert (game.moves, len(game), game.black, game.white) == (["e5", "e6", "d5"], 3, "Ann", "")
    assert game.undo() == "d5" and game.position == Position("e5 e6", "standard", 9)
    assert game.start == Position(rule="standard", size=9)
    assert [len(position) for position in game.positions()] == [0, 1, 2]
    game.undo(), game.undo()
    with pytest.raises(ValueError, match="taken back"):
        game.undo()


def test_a_start_cannot_be_taken_back():
    game = Game(Position("h8 i9"))
    assert game.moves == []
    with pytest.raises(ValueError):
        game.undo()


def test_a_game_ends():
    game = Game()
    for move in "h8 h9 i8 i9 j8 j9 k8 k9 l8".split():
        assert not game.is_over
        game.play(move)
    assert (game.is_over, game.winner, game.ending) == (True, "black", "five")
    with pytest.raises(ValueError, match="over"):
        game.play("a1")
    with pytest.raises(ValueError, match="over"):
        game.resign()
    game.undo()
    assert not game.is_over and game.winner is None and game.ending is None
    game.resign("white")
    assert (game.winner, game.ending) == ("black", "resign")


def test_games_are_compared_copied_and_pickled():
    game = Game(Position("h8"), black="Ann", white="Bob")
    game.play("i9")
    game.resign()
    for twin in [copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]:
        assert twin == game
    twin = copy.copy(game)
    twin.undo()
    assert twin != game and len(game) == 1
    with pytest.raises(TypeError):
        hash(game)


FORMATS = ["sgf", "psq", "rec", "pos", "pos-from-top", "offsets", "lib", "pos-bytes", "sav", "gomocalc"]


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_written_and_read(format, tmp_path):
    position = Position("h8 i9 g9 j10")
    data = tengen.write_bytes(position, format)
    record, = tengen.read_bytes(data, format=format, size=15)
    assert record.game().moves == position.moves or record.lines()[0] == position
    path = tmp_path / "game.any"
    tengen.write(path, position, format=format)
    assert path.read_bytes() == data
    assert tengen.read(str(path), format=format, size=15)[0].game() == record.game()


def test_formats_follow_the_ending(tmp_path):
    game = Game(black="Ann", white="Bob", rule="renju")
    game.play("h8")
    tengen.write(tmp_path / "two.sgf", [game, Position("h8 i9")])
    one, two = tengen.read(tmp_path / "two.sgf")
    assert (one.black, one.white, one.rule, one.size) == ("Ann", "Bob", "renju", 15)
    assert one.game() == game and two.game().moves == ["h8", "i9"]
    with pytest.raises(ValueError, match="names no format"):
        tengen.write(tmp_path / "game.exe", game)
    with pytest.raises(FileNotFoundError):
        tengen.read(tmp_path / "nothing.sgf")


def test_character_sets():
    data = "(;GM[4]SZ[15]PB[王];B[hh])".encode("gbk")
    record, = tengen.read_bytes(data, encoding="gbk")
    assert (record.black, record.encoding) == ("王", "GBK")
    assert "王".encode("gbk") in tengen.write_bytes(record, "sgf", encoding="gbk")
    for refused in [{"encoding": "klingon"}, {"format": "doc"}]:
        with pytest.raises(ValueError, match="There is no"):
            tengen.read_bytes(data, **refused)
    with pytest.raises(ValueError, match="no place"):
        tengen.write_bytes(record, "sgf", encoding="shift_jis") and tengen.write_bytes(
            Position(size=9).play("a1"), "lib"
        )


def test_records_have_lines_and_comments():
    data = b"(;GM[4]SZ[15]RU[renju];B[hh]C[center];W[hg](;B[ii])(;B[gi]C[or this]))"
    record, = tengen.read_bytes(data, "game.sgf")
    assert [line.text for line in record.lines()] == ["h8h9i7", "h8h9g7"]
    assert record.comments() == [(["h8"], "center"), (["h8", "h9", "g7"], "or this")]
    assert len(record) == 5 and record.rule == "renju"
    assert pickle.loads(pickle.dumps(record)) == record
    assert Record(record.game()).game() == record.game()
    with pytest.raises(TypeError, match="Expected a Record"):
        Record("h8")
    with pytest.raises(TypeError, match="Expected a Record"):
        tengen.write_bytes(7)


def test_what_is_no_record_is_refused_with_a_place():
    with pytest.raises(ValueError, match="line 1, column"):
        tengen.read_bytes(b"(;GM[4]SZ[15];B[hh]", "broken.sgf", format="sgf")
    with pytest.raises(ValueError, match="expected"):
        tengen.read_bytes(b"\x00\x01\x02")
