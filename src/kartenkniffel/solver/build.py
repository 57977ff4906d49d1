"""Builds a table file layer by layer, so that an interruption costs two layers at most."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import BinaryIO

import numpy as np

from kartenkniffel.solver.hands import ROWS
from kartenkniffel.solver.layers import Layer, Solver, Values
from kartenkniffel.solver.machine import BusyError, free_memory, locked
from kartenkniffel.solver.outline import BYTES
from kartenkniffel.solver.state import State, check_cost
from kartenkniffel.solver.table import Head, Places, Table, TableError

_ASIDE = 300_000_000  # bytes for the program itself, its libraries and index tables


class Build:
    """The making of one table file.

    While it is made, ``FILE.part`` holds the values, and ``FILE.part.json`` tells how many layers
    are safely in there.
    """

    def __init__(self, path: Path, start: State, turn_cost: float) -> None:
        """Look at what is there already; the table has all that can come after ``start``.

        Raises `StateError` for a turn cost without an answer, and `TableError` where a file of
        another table stands in the way.
        """
        self.path = path
        self._part = path.with_name(path.name + ".part")
        self._note = path.with_name(path.name + ".part.json")
        self.head = Head.of(start, check_cost(turn_cost))
        self.outline = self.head.outline()
        self._places = Places(self.outline)
        self._layers = len(self.outline.layers)
        if path.exists():
            self._take_up(Table(path).head, path.name)
        elif self._note.exists() and self._part.exists():
            self._take_up(Head.read(self._note.read_bytes(), self._note.name), self._part.name)

    def _take_up(self, found: Head, name: str) -> None:
        if replace(found, error=0.0, layers=0) != self.head:
            raise TableError(
                f"{name} holds another table, {found}; name another file, or remove that one"
            )
        self.head = found

    @property
    def finished(self) -> bool:
        """Whether the whole file is there."""
        return self.path.exists()

    @property
    def disk(self) -> int:
        """How many bytes the file has."""
        return self._places.end

    @property
    def memory(self) -> int:
        """How many bytes building it takes, about: the program and two layers."""
        sizes = [self.outline.layer_bytes(size) for size in range(self._layers)]
        return _ASIDE + max(sizes[::2]) + max(sizes[1::2], default=0)

    @property
    def pairs(self) -> int:
        """How many pairs of open fields and upper points there are."""
        return sum(map(self.outline.pairs, range(self._layers)))

    @property
    def pairs_done(self) -> int:
        """How many of them are safely in the file already."""
        return sum(map(self.outline.pairs, range(self.head.layers)))

    def check_room(self) -> None:
        """Raise `TableError` where memory or disk is short."""
        folder = self.path.absolute().parent
        if not folder.is_dir():
            raise TableError(f"there is no folder {folder}")
        disk = shutil.disk_usage(folder).free
        disk += self._part.stat().st_size if self._part.exists() else 0
        if disk < self.disk:
            raise TableError(
                f"the table takes {size_text(self.disk)} of disk, and "
                f"{size_text(disk)} are free in {folder}"
            )
        memory = free_memory()
        if memory is not None and memory < self.memory:
            raise TableError(
                f"solving takes {size_text(self.memory)} of memory, and "
                f"{size_text(memory)} are free"
            )

    def run(
        self,
        announce: Callable[[str], None] = lambda line: None,
        progress: Callable[[int, int], None] = lambda done, pairs: None,
        threads: int | None = None,
    ) -> None:
        """Make the file, going on where an earlier run stopped.

        ``progress`` is told the pairs done and all pairs. Raises `TableError` where room is short
        or another process is making the file.
        """
        self.check_room()
        solver = Solver(self.outline, self.head.turn_cost, threads, announce)
        try:
            with locked(self._part, wait=False):
                with self._part.open("r+b") as stream:
                    self._fill(stream, solver, progress)
                os.replace(self._part, self.path)
        except BusyError as error:
            raise TableError(str(error)) from None
        self._note.unlink()

    def _fill(self, stream: BinaryIO, solver: Solver, progress: Callable[[int, int], None]) -> None:
        lock = Lock()
        done = self.pairs_done

        def write(mask: int, table: Values) -> None:
            nonlocal done
            with lock:
                stream.seek(self._places.begin[mask])
                stream.write(table.astype("<f4", copy=False).data)
                done += self.outline.width(mask)
                progress(done, self.pairs)

        stream.truncate(self.disk)
        layer = self._read_layer(stream) if self.head.layers else None
        with ThreadPoolExecutor(1) as keeper:  # the disk takes a layer while the next is solved
            kept: Future[None] | None = None
            for count in range(self.head.layers + 1, self._layers + 1):
                if layer is None:
                    layer = solver.empty()
                    write(0, layer.tables[0])
                else:
                    layer = solver.after(layer, write)
                stream.flush()
                if kept:
                    kept.result()
                head = replace(self.head, layers=count, error=max(layer.errors.values()))
                kept = keeper.submit(self._keep, stream.fileno(), head)
        if kept:
            kept.result()
        stream.seek(0)
        stream.write(self.head.dump())
        stream.flush()
        os.fsync(stream.fileno())

    def _keep(self, file: int, head: Head) -> None:
        """Note that layers are done, once they are safe on disk."""
        os.fsync(file)
        self.head = head
        fresh = self._note.with_name(self._note.name + ".new")
        with fresh.open("wb") as stream:
            stream.write(head.dump())
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(fresh, self._note)

    def _read_layer(self, stream: BinaryIO) -> Layer:
        """Read the last layer that an earlier run finished."""
        masks = self.outline.layers[self.head.layers - 1]
        layer = Layer(errors=dict.fromkeys(masks, self.head.error))
        for mask in masks:
            stream.seek(self._places.begin[mask])
            width = self.outline.width(mask)
            data = stream.read(ROWS * width * BYTES)
            layer.tables[mask] = np.frombuffer(data, "<f4").astype(np.float32).reshape(ROWS, width)
        return layer


def size_text(size: int) -> str:
    """Give a number of bytes as people say it.

    >>> size_text(4_421_000_000), size_text(16_384)
    ('4.4 GB', '16 kB')
    """
    unit, name = next(
        (pair for pair in ((10**9, "GB"), (10**6, "MB")) if size >= pair[0]), (1000, "kB")
    )
    return f"{size / unit:.1f} {name}" if unit == 10**9 else f"{size / unit:.0f} {name}"
