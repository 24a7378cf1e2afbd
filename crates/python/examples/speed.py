"""Measures what a Python program gets: random plies, arrays and batches. Run it on an idle machine."""

import random
import time

import tengen


def rate(name, unit, work):
    """Runs work, which says how much it has done, for two seconds or more."""
    started, done = time.perf_counter(), 0
    while (spent := time.perf_counter() - started) < 2:
        done += work()
    print(f"{name:<44} {done / spent:>12,.0f} {unit}/s")


def shuffled():
    """A game of random moves, each played by its own call."""
    points = list(range(225))
    random.shuffle(points)
    game = tengen.Game()
    for n, point in enumerate(points, 1):
        game.play(point)
        if game.is_over:
            return n
    return 225


def shuffled_positions():
    """The same with positions, which do not change."""
    points = list(range(225))
    random.shuffle(points)
    position = tengen.Position()
    for n, point in enumerate(points, 1):
        position = position.play(point)
        if position.is_over:
            return n
    return 225


def chosen():
    """The same, every move chosen from the list of legal ones."""
    position = tengen.Position()
    while not position.is_over:
        position = position.play(random.choice(position.legal_moves()))
    return len(position)


def batch(threads, n=1000, nodes=10_000):
    positions = [tengen.Position("h8").play(random.randrange(100)) for _ in range(n)]
    started = time.perf_counter()
    choices = tengen.player("engine(hash=4)").choose_many(positions, nodes=nodes, threads=threads)
    spent, total = time.perf_counter() - started, sum(choice.nodes for choice in choices)
    print(f"{n} positions at {nodes} nodes, {threads} thread(s): {spent:.1f} s, {total / spent:,.0f} nodes/s")
    return spent


if __name__ == "__main__":
    rate("random plies, Game.play", "plies", shuffled)
    rate("random plies, Position.play", "plies", shuffled_positions)
    rate("random plies, choice of legal_moves()", "plies", chosen)
    rate("random plies, Position.playout", "plies", lambda: len(tengen.Position().playout(random.getrandbits(60))))
    position = tengen.Position("h8 i9 g9 i7 i8 h9 j9")
    rate("legal_mask()", "arrays", lambda: len([position.legal_mask() for _ in range(100)]))
    rate("planes()", "arrays", lambda: len([position.planes() for _ in range(100)]))
    one, two = batch(1), batch(2)
    print(f"two threads are {one / two:.2f} times as fast as one")
