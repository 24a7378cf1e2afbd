"""Proofs, found and checked."""

import pytest

import tengen
from tengen import Position

FOURS = Position("h8 h9 i8 i9 j8 a1")


@pytest.mark.parametrize("kind", ["vcf", "vct", "any"])
def test_a_win_is_found_and_checked(kind):
    answer = tengen.prove(FOURS, kind, nodes=100_000)
    assert answer and answer.result == "win" and answer.plies == len(answer.line) == 3
    assert answer.move == answer.line[0] and answer.nodes >= 0
    assert "within 3 plies" in repr(answer)
    checked = tengen.verify(answer.proof)
    assert checked.position == FOURS and checked.attacker == "black"
    assert (checked.first, checked.plies, checked.claimed_plies) == (answer.move, 3, 3)
    assert checked.moves > 0 and checked.replies > 200 and len(checked.digest) == 64
    assert tengen.verify(answer.proof, literal=True).digest == checked.digest


def test_the_tree_is_a_record():
    record = tengen.prove(FOURS, nodes=100_000).record
    assert all(line.winner == "black" for line in record.lines())


def test_no_win_is_proved_and_unknown_is_said():
    answer = tengen.prove(Position("h8"), "vcf", nodes=1000)
    assert not answer and answer.result == "no win"
    assert (answer.move, answer.plies, answer.line, answer.proof, answer.record) == (None, None, [], None, None)
    hard = tengen.prove(Position("h8 i9 g7 f10 k4"), "vct", nodes=1, memory=1)
    assert hard.result in ("unknown", "no win")


def test_what_cannot_be_asked_is_refused():
    for arguments in [{"kind": "magic"}, {"nodes": 0}, {"memory": 0}]:
        with pytest.raises(ValueError):
            tengen.prove(FOURS, **arguments)
    with pytest.raises(ValueError, match="black has won"):
        tengen.prove(Position("h8 h9 i8 i9 j8 j9 k8 k9 l8"))


def test_a_proof_that_was_changed_is_not_believed():
    proof = bytearray(tengen.prove(FOURS, nodes=100_000).proof)
    for at in range(0, len(proof), 7):
        changed = bytes(proof[:at] + bytes([proof[at] ^ 1]) + proof[at + 1 :])
        with pytest.raises(ValueError):
            tengen.verify(changed)
    for short in (b"", bytes(proof[:-1])):
        with pytest.raises(ValueError):
            tengen.verify(short)
