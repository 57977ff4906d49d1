"""Sheets on paper: blank ones, and a pad's finished games, as PDF to take along."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from kartenkniffel.pad import PadGame
from kartenkniffel.pad.printing import FinishedGame, Paper, PrintError, blank_pdf, finished_pdf
from kartenkniffel.rules import RuleError
from kartenkniffel.web.i18n import language_of

PAPERS = tuple(paper.value for paper in Paper)


async def blank_sheets(request: Request, names: tuple[str, ...] = ()) -> Response:
    """Give blank sheets as asked: ``paper``, ``players`` unless named, ``together``."""
    paper, language = _paper(request), language_of(request)
    players = len(names) or _number(request.query_params.get("players", "4"))
    together = request.query_params.get("together") == "1"
    return await _pdf(
        lambda: blank_pdf(players, names=names, paper=paper, language=language, together=together),
        "sheets",
    )


async def finished_sheets(request: Request, game: PadGame) -> Response:
    """Give a game that is over, as it was written."""
    if not game.finished:
        raise HTTPException(409)
    board, paper, language = game.board, _paper(request), language_of(request)
    sheets = [board.sheet(player) for player in range(len(board.players))]
    day: date = game.changed_at.astimezone().date()
    done = FinishedGame.of(board.players, sheets, date=day)
    return await _pdf(
        lambda: finished_pdf(done, paper=paper, language=language), f"game-{day:%Y-%m-%d}"
    )


async def _pdf(make: Callable[[], bytes], name: str) -> Response:
    try:
        pdf = await run_in_threadpool(make)
    except (PrintError, RuleError):
        raise HTTPException(400) from None
    headers = {"Content-Disposition": f'attachment; filename="kartenkniffel-{name}.pdf"'}
    return Response(pdf, media_type="application/pdf", headers=headers)


def _paper(request: Request) -> Paper:
    try:
        return Paper(request.query_params.get("paper", Paper.A4.value))
    except ValueError:
        raise HTTPException(400) from None


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise HTTPException(400)
    return int(text)
