"""Every docstring has what it needs, and every example does what it says."""

import doctest
import inspect
import re
from pathlib import Path

import pytest

import tengen
import tengen.zoo

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def members():
    """Every public name with its object, methods and getters included."""
    for name in tengen.__all__:
        thing = getattr(tengen, name)
        yield name, thing
        if inspect.isclass(thing):
            for attribute, value in vars(thing).items():
                if not attribute.startswith("_"):
                    yield f"{name}.{attribute}", value


NAMED = dict(members())


def run(text, name):
    """Runs the examples of a text and says how many there were."""
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    test = doctest.DocTestParser().get_doctest(text, {"tengen": tengen}, name, name, 0)
    said = []
    result = runner.run(test, out=said.append)
    assert result.failed == 0, "".join(said)
    return result.attempted


@pytest.mark.parametrize("name", NAMED)
def test_docstring(name):
    thing = NAMED[name]
    if isinstance(thing, tuple):
        return
    text = inspect.getdoc(thing)
    assert text, f"{name} has no docstring"
    run(text, name)


def test_modules():
    assert run(tengen.__doc__, "tengen") == 3
    assert run(tengen.zoo.__doc__, "tengen.zoo") == 6


def test_every_public_name_is_tried():
    texts = [path.read_text() for path in HERE.glob("*.py")]
    texts += re.findall(r">>> .*", "\n".join(inspect.getdoc(one) or "" for one in NAMED.values()))
    tried = set(re.findall(r"\w+", "\n".join(texts)))
    # Answers are made by functions, not by name.
    answers = {"Answer", "Candidate", "CheckedProof", "Choice", "Estimate", "Iteration", "Report"}
    assert {name.split(".")[-1] for name in NAMED} - tried == answers - tried


@pytest.mark.parametrize("path", ["docs/python.md", "README.md", "crates/python/README.md"])
def test_markdown(path, tmp_path, monkeypatch):
    """The examples of a page run one after the other, as in a notebook."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / path).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert blocks
    if path == "docs/python.md":
        assert run("\n".join(blocks), path) > 20
    else:
        for block in blocks:
            exec(compile(block, path, "exec"), {})


def test_stubs(tmp_path):
    """The types that are declared are those that are there."""
    stubtest = pytest.importorskip("mypy.stubtest")
    allowed = tmp_path / "allowed.txt"
    allowed.write_text("tengen._tengen.__all__\n")
    options = stubtest.parse_options(["tengen", "--allowlist", str(allowed)])
    assert stubtest.test_stubs(options) == 0
