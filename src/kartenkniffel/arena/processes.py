"""Worker processes that take their outside programs with them when they have to go."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from types import FrameType

from kartenkniffel.bots.programs import end_all


@contextmanager
def worker_processes(number: int) -> Iterator[Executor]:
    """Give an executor of so many processes; whatever ends the block, they and all of theirs end.

    They are spawned, not forked, which works on every system and with threads.
    """
    context = multiprocessing.get_context("spawn")
    # Nothing is ever said through this pipe; its end is the sign, and comes even if this process
    # is killed. (An event would not do: setting one waits for processes that may have died.)
    ear, mouth = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(number, context, initializer=_begin, initargs=(ear,))
    try:
        with _interrupts_held_back():
            # The first call starts the processes. An interrupt must not hit them before they can
            # ignore it: this process handles it for all.
            pool.submit(os.getpid)
        yield pool
    finally:
        mouth.close()
        pool.shutdown(cancel_futures=True)
        ear.close()


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
def _interrupts_held_back() -> Iterator[None]:
    """Let an interrupt wait until after the block, also in processes that are started in it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(ear: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_watch, args=(ear,), daemon=True).start()


def _watch(ear: Connection) -> None:
    """End all programs when the arena stops, and this process too when the arena has died."""
    with suppress(EOFError, OSError):
        ear.recv_bytes()
    end_all()
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def _exit(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


def _leave(number: int, frame: FrameType | None) -> None:
    # No exception: the pool would take it for the outcome of a game, and this process would live.
    end_all()
    os._exit(128 + number)
