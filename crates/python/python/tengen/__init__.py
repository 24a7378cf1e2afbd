"""Gomoku: rules, a strong engine, matches, proofs and data for learning.

>>> position = tengen.Position("h8 i9 h9", rule="renju")
>>> choice = tengen.player("engine(level=5)").choose(position, nodes=10_000)
>>> choice.move in position.legal_moves()
True

Moves are written as "h8", as (x, y) counted from the bottom left from 0, or as the index
y * size + x; they are told as "h8". Arrays need numpy, `tengen.zoo` needs PettingZoo.
"""

from tengen._tengen import (
    PLANES,
    Answer,
    Candidate,
    CheckedProof,
    Choice,
    Estimate,
    Game,
    Iteration,
    Player,
    Position,
    Record,
    Report,
    Score,
    SelfplayGame,
    SelfplayGames,
    elo,
    index,
    match,
    move_name,
    planes,
    player,
    player_info,
    players,
    prove,
    read,
    read_bytes,
    selfplay,
    tournament,
    transform,
    verify,
    write,
    write_bytes,
)

__all__ = [
    "PLANES",
    "Answer",
    "Candidate",
    "CheckedProof",
    "Choice",
    "Estimate",
    "Game",
    "Iteration",
    "Player",
    "Position",
    "Record",
    "Report",
    "Score",
    "SelfplayGame",
    "SelfplayGames",
    "elo",
    "index",
    "match",
    "move_name",
    "planes",
    "player",
    "player_info",
    "players",
    "prove",
    "read",
    "read_bytes",
    "selfplay",
    "tournament",
    "transform",
    "verify",
    "write",
    "write_bytes",
]
