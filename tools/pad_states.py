"""The score pad's pages in made-up states, for the pictures of `tools/screens.py`."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path

from kartenkniffel.pad import NewGame, Pad, Pads, Told
from kartenkniffel.rules import FIELDS, Field, possible_points
from kartenkniffel.store import open_store
from kartenkniffel.web.pad_after import history_context
from kartenkniffel.web.pad_forms import Cell
from kartenkniffel.web.pad_home import home_context
from kartenkniffel.web.pad_page import Look, Panel, pad_context

NAMES = ("Ana", "Maximiliane-Rosalinde", "Emil")
ME, GUEST = "me", "guest"


def pad_states(translator: NullTranslations) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Give every state as its name, its template and its context."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        try:
            yield from _states(Pads(store), translator)
        finally:
            store.close()


def _states(
    pads: Pads, translator: NullTranslations
) -> Iterator[tuple[str, str, dict[str, object]]]:
    def shown(pad: Pad, cell: str = "", person: str = ME) -> dict[str, object]:
        found = Cell.parse(cell)
        look = Look(pad.game, None if found is None else Panel(found))
        return pad_context(pad, person, look, translator=translator, key="k")

    yield "pads-first", "pad_home.html", {**home_context([], ME, wanted=None, key="k"), "error": ""}
    pad = pads.open(ME, NewGame(NAMES, "chosen", 0))
    yield "pad-new", "pad.html", shown(pad)
    yield "pad-guest", "pad.html", shown(pad, person=GUEST)
    pad = _play(pads, pad, FIELDS[4:9])
    yield "pad", "pad.html", shown(pad)
    yield "pad-panel", "pad.html", shown(pad, "1-kn")
    yield "pad-sum", "pad.html", shown(pad, "0-4k" if pad.game.board.to_move else "1-3k")
    yield "pad-question", "pad.html", shown(_ask(pads, pad))
    for _ in range(2):
        pad = _play(pads, pad, FIELDS)
        yield f"pad-over-{len(pad.games)}", "pad.html", shown(pad)
        pad = pads.begin(pad.id, ME, NewGame(NAMES, "chosen", 1), after=len(pad.games))
    yield "pad-games", "pad_games.html", history_context(pad, translator, owner=True)
    yield "pads", "pad_home.html", {**home_context([pad], ME, wanted=None, key="k"), "error": ""}
    share = {"id": pad.id, "address": f"http://192.168.178.23:8126/pad/{pad.id}"}
    yield "pad-share", "pad_share.html", {**share, "reachable": True}
    ten = pads.open(ME, NewGame([f"{name} {n}" for n in range(4) for name in NAMES][:10]))
    yield "pad-ten", "pad.html", shown(_play(pads, ten, FIELDS[:7]))


def _play(pads: Pads, pad: Pad, fields: tuple[Field, ...]) -> Pad:
    """Let everybody fill these fields where they are open, in turns, now and then exchanging."""
    rng = random.Random(7)
    for field in fields:
        for player in pad.game.board.order:
            if rng.random() < 0.3:
                pad = pads.exchange(pad.id, ME, pad.game.number, player)
            if field not in pad.game.board.written[player] and not pad.game.finished:
                told = Told(rng.choice((5, 5, 6, 8)), rng.choice(_likely(field)))
                pad = pads.enter(pad.id, ME, pad.game.number, player, field, told)
    return pad


def _likely(field: Field) -> tuple[int, ...]:
    points = possible_points(field, NewGame(NAMES).rules)
    return points[len(points) // 2 :]


def _ask(pads: Pads, pad: Pad) -> Pad:
    """Let two write into one field at once."""
    seen = pads.claim(pad.id, GUEST, 1).number
    for person, points in ((ME, 4), (GUEST, 6)):
        told = Told(6, points)
        pad = pads.enter(pad.id, person, 1, 1, Field.TWOS, told, seen=seen)
    return pad
