"""Matches and tournaments."""

import json

import pytest

import tengen
from tengen import Position

OPENINGS = ["e5", "e5 d4", Position("e5 f5 d4", size=9)]


def play(**options):
    return tengen.match("greedy", "random", games=6, size=9, openings=OPENINGS, **options)


def test_a_match_is_counted():
    report = play()
    assert (report.wins, report.draws, report.losses, len(report)) == (6, 0, 0, 6)
    assert report.pairs == [0, 0, 0, 0, 3]
    estimate = report.estimate
    assert (estimate.games, estimate.score, estimate.los) == (6, 1.0, 1.0)
    assert estimate.elo == float("inf") and estimate.normalized_elo is None
    assert estimate.elo_low <= estimate.elo_high and estimate.text.startswith("≥")
    assert "greedy 6 - 0 - 0 random" in repr(report)
    assert report.verdict is None and report.stop == "All planned games were played."
    assert "used up" in tengen.match("greedy", "random", games=8, openings=["h8"]).stop


def test_its_games_can_be_replayed():
    games = play().games()
    assert len(games) == 6
    assert [game.black for game in games] == ["greedy", "random"] * 3
    assert all(game.winner == ("black" if game.black == "greedy" else "white") for game in games)
    assert games[0].start == games[1].start and games[0].start.size == 9
    assert all(game.positions()[-1] == game.position for game in games)


def test_the_seed_decides_the_games():
    reports = [play(threads=1), play(threads=2), play(seed="other")]
    assert reports[0].digest == reports[1].digest != reports[2].digest
    assert reports[0].games() == reports[1].games()
    assert play(seconds=0.01).digest is None


def test_the_report_as_data_and_as_files(tmp_path):
    report = play()
    data = report.to_dict()
    assert data["games"] == 6 and {p["name"] for p in data["players"]} == {"greedy", "random"}
    assert report.to_markdown().startswith("#")
    report.write(tmp_path)
    assert json.loads((tmp_path / "report.json").read_text()) == data
    assert len(tengen.read(tmp_path / "games.sgf")) == 6


def test_an_interrupted_match_goes_on(tmp_path):
    seen = []

    def stop(games):
        seen.append(games)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        play(folder=tmp_path, progress=stop, threads=1)
    played = (tmp_path / "journal.jsonl").read_text().count('"kind":"pair"')
    assert 1 <= played < 3 and seen
    report = play(folder=tmp_path)
    assert report.digest == play().digest
    with pytest.raises(ValueError, match="another match"):
        play(folder=tmp_path, seed="other")


def test_progress_is_told():
    seen = []
    play(progress=seen.append)
    assert seen[-1] == 6 and seen == sorted(seen)


def test_a_sequential_test_ends_early():
    report = tengen.match("greedy", "random", games=400, sprt=(0, 50))
    assert report.verdict == "accepted" and len(report) < 400
    assert "decided" in report.stop


def test_tournaments():
    players = ["greedy", "random", "engine(level=1)"]
    for kind, games in [("round-robin", 6), ("gauntlet", 4)]:
        report = tengen.tournament(players, kind, games=2, size=9, nodes=200, openings=["e5"])
        assert len(report) == games and "3 players" in repr(report)
        assert len(report.to_dict()["meetings"]) == games // 2
        with pytest.raises(ValueError, match="More than two"):
            report.wins
    assert len(tengen.tournament(players, "ladder", games=2, size=9, nodes=200)) >= 4
    with pytest.raises(ValueError, match="round-robin, gauntlet or ladder"):
        tengen.tournament(players, "cup")


@pytest.mark.parametrize(
    "options, words",
    [
        ({"openings": "none such"}, "none such"),
        ({"openings": ["e5 e5"]}, "occupied"),
        ({"openings": []}, "empty"),
        ({"sprt": (10, 0)}, "below the upper bound"),
        ({"rule": "chess"}, "chess"),
        ({"games": 0}, "no pairs"),
        ({"nodes": 0}, "more than nothing"),
    ],
)
def test_what_cannot_be_played_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        tengen.match("greedy", "random", **{"size": 9, **options})
    with pytest.raises(ValueError, match="There is no player"):
        tengen.match("greedy", "nobody")


def test_estimates_alone():
    estimate = tengen.elo(60, 0, 40)
    assert round(estimate.elo) == 70 and estimate.text == "+70.4 ± 70.6"
    assert estimate.elo_low < estimate.elo < estimate.elo_high and 0.97 < estimate.los < 0.98
    assert estimate.normalized_elo is not None
    assert tengen.elo(0, 0, 0).games == 0
