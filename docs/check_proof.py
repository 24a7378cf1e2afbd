#!/usr/bin/env python3
"""Checks proof files by the rules alone: python3 docs/check_proof.py FILE... (- is standard input).

A second opinion, written from docs/proof-format.md. It shares nothing with the program and needs
nothing but Python. Rules: freestyle and standard.

Every reply is tried at every turn of the defender, with one exception, which --literal takes away.
Let a tree be played out on a board B. It plays out in the same way with k more stones of the defender
on B, wherever they lie outside of a zone: the cells that the attacker plays, the cells that the tree
names as replies, and, at every turn of the defender, the empty cells of all windows of five that hold
no stone of the attacker and at least 4 - k of the defender's. For such stones take no cell that is
needed, a stone of the defender does not change the attacker's lines, and a five of the defender with
the help of k more stones needs a window of that kind. So an answer that serves many replies is played
out once without them (k = 1; within such a play k = 2 and so on), and again with each reply in its zone.
"""

import argparse
import hashlib
import sys
import time

WIN, MOVE, SHARED, NONE = range(4)
DEPTH = 256  # attacker nodes may be nested this deep
RULES = {0: "freestyle", 1: "standard"}
MOST_EXTRA = 2  # with more stones than this taken together the zones are no smaller than the board


class Fault(Exception):
    """What is wrong with a proof."""


class Reader:
    """Reads numbers and trees from the bytes of a proof."""

    def __init__(self, data):
        self.data, self.at, self.shared = data, 0, []

    def byte(self):
        if self.at >= len(self.data):
            raise Fault("The proof ends too early.")
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                if (byte == 0 and shift) or value >= 1 << 32:
                    break
                return value
        raise Fault("A number is badly written.")

    def attack(self, depth=DEPTH):
        """An attacker node: (WIN, cell), (MOVE, cell, defense) or (NONE,)."""
        value = self.number()
        kind, rest = value & 3, value >> 2
        if kind == WIN:
            return (WIN, rest)
        if kind == MOVE:
            if depth == 0:
                raise Fault("The tree is nested too deeply.")
            return (MOVE, rest, self.defense(depth - 1))
        if kind == SHARED and rest < len(self.shared):
            return self.shared[rest]
        if kind == NONE and rest == 0:
            return (NONE,)
        raise Fault("There is no such node.")

    def defense(self, depth=DEPTH):
        """A defender node: groups of replies with their answers, and the answer to all others."""
        groups = []
        while value := self.number():
            cells = [(value - 1) >> 1]
            while (value - 1) & 1:
                value = self.number()
                if value == 0:
                    raise Fault("A group of replies has no end.")
                cells.append((value - 1) >> 1)
            groups.append((cells, self.attack(depth)))
        return groups, self.attack(depth)


class Checker:
    """Plays a proof out. Sets of cells are numbers whose bits are the cells, row by row from a1, with
    one bit left empty after each row, so that a shift along a line never comes round the edge."""

    def __init__(self, data, literal):
        self.most_extra = 0 if literal else MOST_EXTRA
        self.nodes = self.turns = 0
        body = data[:-32]
        if len(data) < 32 or hashlib.sha256(body).digest() != data[-32:]:
            raise Fault("The file is damaged: its checksum does not fit.")
        self.digest = data[-32:].hex()
        read = Reader(body)
        if bytes(read.byte() for _ in range(8)) != b"TENGENPF" or read.byte() != 1:
            raise Fault("This is no proof file of version 1.")
        rule, self.size, self.to_move, self.attacker = (read.byte() for _ in range(4))
        if rule not in RULES:
            raise Fault("This checker knows the rules freestyle and standard only.")
        if not 5 <= self.size <= 22 or self.to_move > 1 or self.attacker > 1:
            raise Fault("The header is not valid.")
        self.rule, self.exact = RULES[rule], rule == 1
        row = self.size + 1
        self.bits = [1 << (cell // self.size * row + cell % self.size) for cell in range(self.size**2)]
        self.board = sum(self.bits)
        self.steps = (1, row, row + 1, row - 1)
        # Where a window of five begins, for each direction.
        self.starts = [self.along(self.board, step) for step in self.steps]
        self.claim = read.number()
        stones = [self.stones(read), self.stones(read)]
        if stones[0] & stones[1]:
            raise Fault("Two stones lie on one cell.")
        if self.has_five(stones[0]) or self.has_five(stones[1]):
            raise Fault("The start position is won already.")
        for _ in range(read.number()):
            if body[read.at : read.at + 1] and body[read.at] & 3 > MOVE:
                raise Fault("A shared tree starts without a move.")
            read.shared.append(read.attack())
        self.root = read.attack() if self.to_move == self.attacker else read.defense()
        if read.at != len(body):
            raise Fault("Something follows the end of the proof.")
        self.own, self.theirs = stones[self.attacker], stones[1 - self.attacker]

    def stones(self, read):
        cells = [read.number() for _ in range(read.number())]
        if any(a >= b for a, b in zip(cells, cells[1:])) or any(c >= self.size**2 for c in cells):
            raise Fault("A list of stones is not valid.")
        return sum(self.bits[cell] for cell in cells)

    @staticmethod
    def along(stones, step):
        """Where five of the stones in a row begin."""
        pairs = stones & stones >> step
        return pairs & pairs >> 2 * step & stones >> 4 * step

    def has_five(self, stones):
        for step in self.steps:
            five = self.along(stones, step)
            if five and self.exact:
                five &= ~(stones << step) & ~(stones >> 5 * step)
            if five:
                return True
        return False

    def near_fives(self, theirs, own, least):
        """The empty cells of the windows that hold at least so many of these stones and none of the
        others. With 4 of 4 these are the cells that win, with fewer perhaps a few more than matter."""
        free, found = self.board & ~own, 0
        for step, starts in zip(self.steps, self.starts):
            windows = starts & self.along(free, step)
            if self.exact:
                windows &= ~(theirs << step) & ~(theirs >> 5 * step)
            if not windows:
                continue
            # Counts of stones in five cells, bit by bit: ones, twos, fours.
            a, b, c, d, e = (theirs >> i * step for i in range(5))
            ones, carry = a ^ b ^ c, a & b | c & (a ^ b)
            more = ones & d | e & (ones ^ d)
            twos, fours = carry ^ more, carry & more
            ones ^= d ^ e
            if least == 4:
                windows &= fours & ~ones
            elif least == 3:
                windows &= fours | twos & ones
            else:
                windows &= fours | twos
            for i in range(5):
                found |= windows << i * step
        return found & free & ~theirs

    def cell(self, number):
        if number >= len(self.bits):
            raise Fault(f"The board has no cell number {number}.")
        return self.bits[number]

    def name(self, bit):
        row, col = divmod(bit.bit_length() - 1, self.size + 1)
        return f"{chr(97 + col)}{row + 1}"

    def attack(self, tree, own, theirs, extra):
        """Plays out an attacker node with up to `extra` more stones of the defender anywhere outside
        of the zone. Returns the zone and the most plies."""
        if tree[0] == NONE:
            raise Fault("The proof has no answer.")
        self.nodes += 1
        bit = self.cell(tree[1])
        if bit & (own | theirs):
            raise Fault(f"{self.name(bit)} is on a stone.")
        own |= bit
        if self.has_five(own):
            return bit, 1
        if tree[0] == WIN:
            raise Fault(f"{self.name(bit)} does not win at once.")
        zone, plies = self.defend(tree[2], own, theirs, extra)
        return zone | bit, plies + 1

    def defend(self, node, own, theirs, extra):
        """The same for a defender node."""
        self.turns += 1
        groups, default = node
        left = self.board & ~own & ~theirs
        if left.bit_count() <= extra:
            raise Fault("The board is full and nobody has won.")
        # With the stone of this turn and the extra ones a window is full that has 4 - extra stones.
        if five := self.near_fives(theirs, own, 4):
            raise Fault(f"The defender wins with {self.name(five & -five)}.")
        zone = self.near_fives(theirs, own, 4 - extra) if extra else 0
        plies = 0
        listed = set()
        for cells, tree in groups:
            replies = 0
            for cell in cells:
                if cell in listed:
                    raise Fault(f"{self.name(self.cell(cell))} is listed twice.")
                listed.add(cell)
                replies |= self.cell(cell)
            zone |= replies
            found, longest = self.answer(tree, replies & left, own, theirs, extra)
            zone, plies, left = zone | found, max(plies, longest), left & ~replies
        found, longest = self.answer(default, left, own, theirs, extra)
        return zone | found, max(plies, longest) + 1

    def answer(self, tree, replies, own, theirs, extra):
        """One answer to all these replies: played out once without them and again for those in its
        zone, or else for each."""
        zone, plies = 0, 0
        is_cheap = extra < self.most_extra or tree[0] == WIN
        if self.most_extra and is_cheap and replies.bit_count() > 3:
            try:
                zone, plies = self.attack(tree, own, theirs, extra + 1)
                if not replies & ~zone:
                    plies = 0
                replies &= zone
            except Fault:
                zone = plies = 0
        while replies:
            reply = replies & -replies
            replies ^= reply
            found, longest = self.attack(tree, own, theirs | reply, extra)
            zone, plies = zone | found, max(plies, longest)
        return zone, plies

    def first(self):
        """The attacker's first move, if the attacker is to move."""
        return self.name(self.cell(self.root[1])) if self.to_move == self.attacker else "-"

    def check(self):
        """The most plies of a line, if the proof is right."""
        play = self.attack if self.to_move == self.attacker else self.defend
        plies = play(self.root, self.own, self.theirs, 0)[1]
        if plies > self.claim:
            raise Fault(f"A line takes {plies} plies, more than claimed.")
        return plies


def check(name, literal):
    """Checks one file and says what it shows."""
    began = time.monotonic()
    with open(name, "rb") if name != "-" else sys.stdin.buffer as file:
        checker = Checker(file.read(), literal)
    plies = checker.check()
    print(f"{name}: {('black', 'white')[checker.attacker]} wins within {plies} plies", end=" ")
    print(f"({checker.rule}, {checker.size}x{checker.size}).")
    print(f"  first move   {checker.first()}")
    print(f"  played       {checker.nodes} moves, {checker.turns} turns of the defender")
    print(f"  digest       {checker.digest}")
    print(f"  time         {time.monotonic() - began:.1f} s")


def main():
    words = argparse.ArgumentParser(description="Checks proof files by the rules alone.")
    words.add_argument("file", nargs="+", help="a proof file, or - for standard input")
    words.add_argument("--literal", action="store_true", help="place every reply: much slower, same verdict")
    words = words.parse_args()
    sys.setrecursionlimit(10_000)
    refused = 0
    for name in words.file:
        try:
            check(name, words.literal)
        except Fault as fault:
            print(f"{name}: not accepted. {fault}")
            refused += 1
        except OSError as error:
            print(f"{name}: cannot be read. {error.strerror}.")
            refused += 1
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
