"""Players, analysis, batches, and Ctrl-C."""

import os
import pickle
import signal
import sys
import threading
import time

import pytest

import tengen
from tengen import Position

THREE = Position("h8 a1 i8 c1 j8 e1")


def test_players_have_names_and_parameters():
    assert {"engine", "book", "greedy", "random"} <= set(tengen.players())
    for name in tengen.players():
        info = tengen.player_info(name)
        assert info["name"] == name and info["summary"]
        assert all({"default", "help"} <= set(param) for param in info["params"].values())
    with pytest.raises(ValueError, match="There is no player"):
        tengen.player_info("nobody")


@pytest.mark.parametrize(
    "spec, words",
    [("nobody", "known are"), ("engine(levl=3)", "level"), ("engine(level=99)", "1 to 10"), ("engine(", "Column")],
)
def test_what_names_no_player_is_refused_with_a_sentence(spec, words):
    with pytest.raises(ValueError, match=words):
        tengen.player(spec)


@pytest.mark.parametrize("name", tengen.players())
def test_every_player_plays(name):
    position = Position("h8 i9 g9")
    choice = tengen.player(name).choose(position, nodes=300)
    assert choice.move in position.legal_moves() and choice.reason


def test_a_choice_tells_its_cost_and_reasons():
    player = tengen.player("engine(level=5)")
    choice = player.choose(Position("h8 i9"), nodes=10_000)
    assert 0 < choice.nodes <= 11_000 and choice.seconds >= 0 and choice.evaluations > 0
    assert choice.line[0] == choice.move and not choice.resigns
    assert choice.candidates[0].move == choice.move and choice.depth >= 1
    assert choice.candidates[0].line == choice.line
    assert choice.iterations[-1].move == choice.move
    assert [step.depth for step in choice.iterations] == sorted(s.depth for s in choice.iterations)
    assert choice.iterations[-1].nodes <= choice.nodes and choice.iterations[0].seconds >= 0
    assert choice.move in repr(choice)


def test_a_win_comes_with_a_proof():
    choice = tengen.player("engine").choose(THREE, nodes=10_000)
    assert choice.score.win_in == 3 and choice.score > tengen.Score(1000)
    assert tengen.verify(choice.proof).first == choice.move


def test_scores_are_ordered_and_say_what_they_claim():
    low, high = tengen.Score(-20), tengen.Score(35)
    assert low < high <= tengen.Score(35) and -high == tengen.Score(-35)
    assert (str(high), high.value, int(high), high.win_in, high.loss_in) == ("+35", 35, 35, None, None)
    win = tengen.player("engine").choose(THREE, nodes=10_000).score
    assert win.value is None and (-win).loss_in == 3 and win.chance() == 1.0
    assert -win < low < win and len({win, pickle.loads(pickle.dumps(win))}) == 1


def test_the_same_seed_gives_the_same_choice():
    player = tengen.player("engine(level=5)", seed=7)
    first = player.choose(Position("h8 i9 g9"), nodes=5000)
    player.new_game(7)
    again = player.choose(Position("h8 i9 g9"), nodes=5000)
    twin = pickle.loads(pickle.dumps(player))
    assert isinstance(twin, tengen.Player) and twin.spec == player.spec
    third = twin.choose(Position("h8 i9 g9"), nodes=5000)
    told = [(c.move, c.nodes, [one.move for one in c.candidates]) for c in (first, again, third)]
    assert told[0] == told[1] == told[2]


def test_the_first_move_can_be_restricted():
    player = tengen.player("engine")
    assert player.choose(THREE, nodes=2000, only=["a15"]).move == "a15"
    best = player.choose(THREE, nodes=2000).move
    assert player.choose(THREE, nodes=2000, exclude=[best]).move != best
    with pytest.raises(ValueError, match="no move"):
        player.choose(THREE, nodes=2000, only=["h8"])


def test_analysis_gives_lines():
    choice = tengen.player("engine").analyze(Position("h8 i9"), lines=4, nodes=20_000)
    moves = [candidate.move for candidate in choice.candidates]
    assert len(set(moves)) == 4 and moves[0] == choice.move
    assert all(candidate.line[0] == candidate.move for candidate in choice.candidates)
    # A limit may end the last depth before it comes to the last lines, and after the best was refuted.
    worth = [(candidate.depth, candidate.score) for candidate in choice.candidates[1:]]
    assert worth == sorted(worth, reverse=True)
    assert all(candidate.depth >= 0 and candidate.nodes >= 0 for candidate in choice.candidates)
    assert all(c.probability is None or 0 <= c.probability <= 1 for c in choice.candidates)


def test_evaluations_are_explained():
    told = tengen.player("static-table").explain(Position("h8 i9 g9"))
    assert told["points"] or told["terms"] or told["value"] is not None


@pytest.mark.parametrize("limits", [{"nodes": 0}, {"seconds": 0}, {"seconds": -1.0}, {"depth": 0}])
def test_limits_are_more_than_nothing(limits):
    with pytest.raises(ValueError, match="more than nothing"):
        tengen.player("engine").choose(Position(), **limits)


def test_a_finished_game_is_refused():
    won = Position("h8 h9 i8 i9 j8 j9 k8 k9 l8")
    player = tengen.player("engine")
    for ask in [player.choose, player.analyze, lambda position: player.choose_many([position])]:
        with pytest.raises(ValueError, match="black has won"):
            ask(won)


def test_batches_do_not_depend_on_the_number_of_threads():
    positions = [Position(Position().playout(seed).moves[:6]) for seed in range(8)]
    player = tengen.player("engine(hash=1)")
    one, two = (player.choose_many(positions, nodes=2000, threads=n) for n in (1, 2))
    assert [(c.move, c.nodes) for c in one] == [(c.move, c.nodes) for c in two]
    assert [c.move for c in one] == [
        tengen.player("engine(hash=1)").choose(position, nodes=2000).move for position in positions
    ]
    assert player.choose_many([]) == []
    with pytest.raises(ValueError, match="at least one thread"):
        player.choose_many(positions, threads=0)


def test_other_threads_run_during_a_search():
    count, stop = 0, threading.Event()

    def work():
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0)

    worker = threading.Thread(target=work)
    worker.start()
    player = tengen.player("engine")
    before = count
    player.choose(Position("h8 i9 g9 f10"), nodes=20_000)
    after = count
    stop.set()
    worker.join()
    assert after > before + 10


LONG = [
    lambda: tengen.player("engine").choose(Position("h8 i9 g7"), seconds=300),
    lambda: tengen.player("engine(threads=2)").choose(Position("h8 i9 g7"), seconds=300),
    lambda: tengen.player("engine(hash=1)").choose_many([Position("h8 i9 g7")] * 9, seconds=300),
    lambda: tengen.match("engine(hash=1)", "engine(hash=1,level=9)", games=2, nodes=10**9),
    lambda: list(tengen.selfplay(2, nodes=10**9)),
]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
@pytest.mark.parametrize("work", LONG)
def test_ctrl_c_ends_it(work):
    # A program that was started in the background may ignore Ctrl-C from the beginning.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    # What was stopped can be used again.
    assert tengen.player("engine").choose(THREE, nodes=1000).move in {"g8", "k8"}
