"""The log of moves, what is new in it, and what it may not tell."""

from __future__ import annotations

import re

import pytest

from kartenkniffel.rules import Field, Score
from kartenkniffel.web.page_log import LOG_MOVES, log_of, since, wrote
from tests.web.test_pages import ENGLISH, context, table, table_page


def words_in(log: dict[str, object]) -> list[str]:
    rounds = log["rounds"]
    assert isinstance(rounds, list)
    tags = re.compile(r"<[^>]+>")
    return [
        f"{move['name']}: {tags.sub('', str(move['words']))}"
        for each in rounds
        for move in each["moves"]
    ]


def test_the_log_says_who_did_what_for_how_many_points_the_newest_first() -> None:
    view = table(30).view(0)
    said = words_in(log_of(view, ENGLISH, whole=True))
    assert len(said) == 30
    for index, words in enumerate(reversed(said)):
        move, name = view.moves[index], view.players[index % 3].name
        assert words.startswith(f"{name}: ")
        if isinstance(move, Score):
            entry = view.players[index % 3].sheet[move.field]
            assert entry is not None
            assert f"with {move.cards}: {entry.points} point" in words
            assert (f"penalty {entry.penalty}" in words) == bool(entry.penalty)
        elif move.discard:
            assert words == f"{name}: discards {move.discard}, draws {move.draw}"


@pytest.mark.parametrize("players", [1, 2, 3, 10])
def test_the_short_log_holds_whole_rounds_and_counts_the_rest(players: int) -> None:
    at = table(9999, tuple("ABCDEFGHIJ"[:players]))
    short = log_of(at.view(0), ENGLISH)
    whole = log_of(at.view(0), ENGLISH, whole=True)
    rounds, all_rounds = short["rounds"], whole["rounds"]
    assert isinstance(rounds, list)
    assert isinstance(all_rounds, list)
    assert rounds == all_rounds[: len(rounds)]
    assert LOG_MOVES <= len(words_in(short)) < LOG_MOVES + players
    assert short["left_out"] == len(all_rounds) - len(rounds)
    assert whole["left_out"] == 0


def test_a_page_leads_to_the_whole_log() -> None:
    at = table(9999)
    html = table_page(at)
    assert 'href="/t/t1?log=all#log"' in html
    whole = table_page(at, whole_log=True)
    assert 'id="log-all"' not in whole
    assert 'data-log="all"' in whole
    assert whole.count('id="move-') == len(at.game.moves)


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 4, 5, 6, 22])
def test_new_is_what_happened_since_the_own_last_turn(turns: int) -> None:
    view = table(turns).view(1)
    own = [index for index in range(turns) if index % 3 == 1]
    assert since(view) == (own[-1] if own else 0)
    log = log_of(view, ENGLISH)
    rounds = log["rounds"]
    assert isinstance(rounds, list)
    fresh = {move["index"] for each in rounds for move in each["moves"] if move["fresh"]}
    assert fresh == {index for index in range(since(view), turns) if index % 3 != 1}


def test_cells_filled_since_the_own_last_turn_are_marked() -> None:
    for turns in range(60):
        view = table(turns).view(0)
        for seat in range(3):
            marked = {field for field in Field if wrote(view, seat, field)}
            expected = {
                move.field
                for index, move in enumerate(view.moves)
                if index >= since(view) and index % 3 == seat and isinstance(move, Score)
            }
            assert marked == expected


def test_a_mark_is_more_than_a_colour() -> None:
    pages = [table_page(table(turns)) for turns in range(3, 30, 3)]
    marked = re.findall(r'<td class="(?:own )?is-latest".*?</td>', "".join(pages))
    assert marked
    assert all('<span class="sr">, new</span>' in cell for cell in marked)


def test_who_moves_hears_the_own_move_too() -> None:
    data = context(table(21))["data"]
    assert data["did"].startswith("Ana: ")
    assert context(table(0))["data"]["did"] == ""
