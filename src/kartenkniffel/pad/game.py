"""One game on a pad: its board, what was changed by whom, and what can be taken back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from kartenkniffel.pad.board import Board, Written
from kartenkniffel.pad.errors import NothingLeft
from kartenkniffel.pad.events import (
    Answered,
    Asked,
    Began,
    Change,
    Corrected,
    Counting,
    Ended,
    Entered,
    Exchanged,
    GameEvent,
    Recounted,
    Redone,
    Renamed,
    Undone,
)
from kartenkniffel.rules import penalty_for


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the history: event ``number``, when it came, and what it did.

    ``before`` is what stood in the field until then. ``about`` is the line that was taken back or
    made again, or the question that was answered.
    """

    number: int
    at: datetime
    event: Began | GameEvent
    before: Written | None = None
    about: Line | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A later entry for a field that was filled already; ``standing`` is what stood there."""

    line: Line
    asked: Asked
    standing: Written

    @property
    def penalty(self) -> int:
        """The penalty that the later entry would bring (R7)."""
        return penalty_for(self.asked.hand)


@dataclass(frozen=True, slots=True)
class Step:
    """A change that counts, or one taken back: its line, and the board on its other side."""

    line: Line
    board: Board


@dataclass(frozen=True, slots=True)
class PadGame:
    """Game ``number`` of a pad, from 1, as it stands; ``opening`` is the line of its beginning.

    ``seated`` are the names that tell who of the people sits where: those of the board as long as
    it is the latest game. What is written differently later moves nobody to another seat.
    """

    number: int
    opening: Line
    began: Began
    board: Board
    seated: tuple[str, ...]
    lines: tuple[Line, ...]
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()
    questions: tuple[Question, ...] = ()

    @classmethod
    def begin(cls, number: int, event_number: int, at: datetime, began: Began) -> PadGame:
        """Give a game before its first turn."""
        board = Board.blank(began.players, began.first, began.rules, began.counting)
        line = Line(event_number, at, began)
        return cls(number, line, began, board, board.players, (line,))

    @property
    def began_at(self) -> datetime:
        """When the game began, in UTC."""
        return self.opening.at

    @property
    def changed_at(self) -> datetime:
        """When something was last done to it, in UTC."""
        return self.lines[-1].at

    @property
    def finished(self) -> bool:
        """Whether the game is over (R12)."""
        return self.board.finished

    def question(self, number: int) -> Question | None:
        """Give the open question that event ``number`` asks."""
        return next((each for each in self.questions if each.line.number == number), None)

    def last_change(self) -> Line | None:
        """Give the line that `undo` would take back."""
        return self.past[-1].line if self.past else None

    def next_change(self) -> Line | None:
        """Give the line that `redo` would make again."""
        return self.future[-1].line if self.future else None

    def add(self, number: int, at: datetime, event: GameEvent) -> PadGame:
        """Give the game after one more event."""
        match event:
            case Undone():
                return self._moved(Line(number, at, event, about=self.last_change()), back=True)
            case Redone():
                return self._moved(Line(number, at, event, about=self.next_change()), back=False)
            case Asked():
                standing = self.board.written[event.player][event.field]
                line = Line(number, at, event, before=standing)
                question = Question(line, event, standing)
                return replace(
                    self, lines=(*self.lines, line), questions=(*self.questions, question)
                )
            case Answered():
                return self._answered(number, at, event)
            case _:
                line = Line(number, at, event, before=self._standing(event))
                return self._changed(line, after(self.board, number, event))

    def _answered(self, number: int, at: datetime, event: Answered) -> PadGame:
        question = self.question(event.question)
        if question is None:
            raise LookupError("there is no such question")
        asked = question.asked
        before = self.board.written[asked.player].get(asked.field)
        line = Line(number, at, event, before=before, about=question.line)
        rest = tuple(each for each in self.questions if each is not question)
        if not event.take:
            return replace(self, lines=(*self.lines, line), questions=rest)
        written = Written(asked.points, asked.hand, asked.cards, number, asked.by)
        board = self.board.filled(asked.player, asked.field, written)
        return replace(self._changed(line, board), questions=rest)

    def _standing(self, event: Change) -> Written | None:
        if isinstance(event, Entered | Corrected):
            return self.board.written[event.player].get(event.field)
        return None

    def _changed(self, line: Line, board: Board) -> PadGame:
        return replace(
            self,
            board=board,
            lines=(*self.lines, line),
            past=(*self.past, Step(line, self.board)),
            future=(),
        )

    def _moved(self, line: Line, *, back: bool) -> PadGame:
        """Give the game one step back in its history, or forth again."""
        here, there = (self.past, self.future) if back else (self.future, self.past)
        if not here:
            raise NothingLeft("nothing_left", "there is nothing to take back or to make again")
        step = here[-1]
        there = (*there, Step(step.line, self.board))
        past, future = (here[:-1], there) if back else (there, here[:-1])
        return replace(self, board=step.board, lines=(*self.lines, line), past=past, future=future)


def after(board: Board, number: int, event: Change) -> Board:
    """Give the board after a change, which event ``number`` made."""
    match event:
        case Entered():
            for player in event.passed:
                board = board.exchanged(player)
            written = _written(event, event.points, number)
            return board.filled(event.player, event.field, written, event.turn)
        case Exchanged():
            return board.exchanged(event.player)
        case Corrected(points=None):
            return board.emptied(event.player, event.field)
        case Corrected():
            written = _written(event, event.points or 0, number)
            return board.filled(event.player, event.field, written)
        case Recounted():
            return board.recounted(event.player, event.exchanges)
        case Renamed():
            return board.renamed(event.player, event.name)
        case Counting():
            return board.counted(event.on)
        case Ended():
            return replace(board, ended=True)


def _written(event: Entered | Corrected, points: int, number: int) -> Written:
    return Written(points, event.hand, event.cards, number, event.by)
