"""Worker processes that take their outside programs with them when they have to go."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from types import FrameType

from kartenkniffel.bots.programs import end_all

_GLANCE = 0.2  # seconds between two looks at whether the arena is still there


@contextmanager
def worker_processes(number: int) -> Iterator[Executor]:
    """Give an executor of so many processes; whatever ends the block, they and all of theirs end.

    They are spawned, not forked, which works on every system and with threads.
    """
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(number, context, initializer=_begin, initargs=(stop,))
    try:
        with _interrupts_ignored():
            # The first call starts the processes; an interrupt must not hit them before they can
            # ignore it: this process handles it for all.
            pool.submit(os.getpid)
        yield pool
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


@contextmanager
def terminate_as_exit() -> Iterator[None]:
    """Turn the signal that asks a program to end into ``SystemExit``, so that it can clean up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _begin(stop: Event) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_watch, args=(stop,), daemon=True).start()


def _watch(stop: Event) -> None:
    """End all programs when the arena stops, and this process too when the arena has died."""
    parent = multiprocessing.parent_process()
    while not stop.wait(_GLANCE):
        if parent and not parent.is_alive():
            end_all()
            os._exit(1)
    end_all()


def _exit(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


def _leave(number: int, frame: FrameType | None) -> None:
    # No exception: the pool would take it for the outcome of a game, and this process would live.
    end_all()
    os._exit(128 + number)
