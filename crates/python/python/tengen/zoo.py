"""Gomoku as a PettingZoo environment for two agents, `black_0` and `white_0`.

>>> environment = tengen.zoo.env(rule="renju")
>>> environment.reset()
>>> observation, reward, termination, truncation, info = environment.last()
>>> observation["observation"].shape == (len(tengen.PLANES), 15, 15)
True
>>> environment.step(tengen.index("h8"))
>>> environment.agent_selection
'white_0'
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from tengen._tengen import PLANES, Position

__all__ = ["env", "raw_env"]


def agent_of(color: str) -> str:
    """The agent that plays a color, named as in PettingZoo's own games.

    >>> tengen.zoo.agent_of("black")
    'black_0'
    """
    return f"{color}_0"


def env(**options: Any) -> AECEnv:
    """The environment with PettingZoo's usual guards: whoever makes an illegal move loses.

    The options are those of `raw_env`.
    """
    guarded = wrappers.TerminateIllegalWrapper(raw_env(**options), illegal_reward=-1)
    guarded = wrappers.AssertOutOfBoundsWrapper(guarded)
    return wrappers.OrderEnforcingWrapper(guarded)


class raw_env(AECEnv, EzPickle):
    """The environment itself.

    An action is the index of a move. An observation is a dictionary: "observation" holds the planes
    of the position (`tengen.PLANES`) from the agent's own view, "action_mask" its legal moves, all
    zeros while the other agent is to move. The winner is rewarded with 1, the loser with -1. In
    renju black's forbidden points are not legal.

    `start` is the position of every game, or the moves that lead to it. With `render_mode="ansi"`
    `render` gives the board as text, with "human" it is printed after every move.
    """

    metadata = {
        "name": "tengen_v1",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rule: str = "freestyle",
        size: int = 15,
        start: Position | str = "",
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, rule, size, start, render_mode)
        super().__init__()
        self.start = start if isinstance(start, Position) else Position(start, rule, size)
        if self.start.is_over:
            raise ValueError("The game is over at the start.")
        self.position = self.start
        self.render_mode = render_mode
        side = self.start.size
        self.possible_agents = ["black_0", "white_0"]
        self.agents = self.possible_agents[:]
        planes = spaces.Box(0, 1, shape=(len(PLANES), side, side), dtype=np.uint8)
        mask = spaces.Box(0, 1, shape=(side * side,), dtype=np.int8)
        observations: dict[str, spaces.Space] = {"observation": planes, "action_mask": mask}
        self.observation_spaces = {a: spaces.Dict(observations) for a in self.possible_agents}
        self.action_spaces = {a: spaces.Discrete(side * side) for a in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        self.position = self.start
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict] = {agent: {} for agent in self.agents}
        self.agent_selection = agent_of(self.position.to_move)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        position = self.position
        if agent == agent_of(position.to_move):
            mask = position.legal_mask().astype(np.int8)
        else:
            mask = np.zeros(position.size**2, dtype=np.int8)
            position = position.passed()
        return {"observation": position.planes(), "action_mask": mask}

    def step(self, action: int) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.position = self.position.play(action)
        self.agent_selection = agent_of(self.position.to_move)
        no_moves = not self.position.is_over and not self.position.legal_mask().any()
        if self.position.is_over or no_moves:
            winner = self.position.winner
            if winner is not None:
                won = agent_of(winner)
                self.rewards = {a: 1 if a == won else -1 for a in self.possible_agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        text = str(self.position)
        if self.render_mode == "human":
            print(text, end="\n\n")
        return text if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass
