"""The PettingZoo environment."""

import copy
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import tengen
from tengen import zoo


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_pettingzoos_own_tests(rule, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # An observation with a mask is a dictionary, as in PettingZoo's own board games.
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(zoo.env(rule=rule, size=9), num_cycles=500, verbose_progress=False)
        api_test(zoo.raw_env(rule=rule, size=9), num_cycles=500, verbose_progress=False)
    assert "Passed" in capsys.readouterr().out
    seed_test(lambda: zoo.env(rule=rule, size=9), num_cycles=50)


def test_a_game_is_rewarded():
    environment = zoo.env(size=9)
    environment.reset()
    total = {"black_0": 0, "white_0": 0}
    moves = iter("a1 a2 b1 b2 c1 c2 d1 d2 e1".split())
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, info = environment.last()
        total[agent] += reward
        environment.step(None if termination else tengen.index(next(moves), 9))
    assert total == {"black_0": 1, "white_0": -1}


def test_everyone_sees_the_board_from_its_own_side():
    environment = zoo.raw_env(start="h8 i9 g9")
    environment.reset()
    assert environment.agent_selection == "white_0"
    mine, other = environment.observe("white_0"), environment.observe("black_0")
    assert mine["action_mask"].sum() == 222 and other["action_mask"].sum() == 0
    own, theirs = tengen.PLANES.index("own"), tengen.PLANES.index("other")
    assert (mine["observation"][own] == other["observation"][theirs]).all()
    assert mine["observation"].dtype == np.uint8
    assert environment.observation_space("black_0").contains(other)
    assert environment.action_space("white_0").n == 225


def test_forbidden_points_are_not_legal():
    start = tengen.Position("b:g8,i8,h7,h9 w:a1,c1,e1,o15 b", rule="renju")
    environment = zoo.env(start=start)
    environment.reset()
    observation, *_ = environment.last()
    assert not observation["action_mask"][tengen.index("h8")]
    environment.step(tengen.index("h8"))
    assert environment.terminations["black_0"] and environment.rewards["black_0"] == -1


def test_rendering_and_copies(capsys):
    environment = zoo.raw_env(size=5, render_mode="human")
    environment.reset()
    environment.step(12)
    assert "X" in capsys.readouterr().out
    environment = zoo.raw_env(size=5, render_mode="ansi")
    environment.reset()
    twin = copy.deepcopy(environment)
    environment.step(12)
    assert "X" in environment.render() and "X" not in twin.render()
    environment.close()
    with pytest.raises(ValueError, match="over"):
        zoo.env(start="h8 h9 i8 i9 j8 j9 k8 k9 l8")
