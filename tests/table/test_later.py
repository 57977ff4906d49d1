import threading
import time
from functools import partial

from kartenkniffel.table.later import Later


def test_jobs_run_when_they_are_due() -> None:
    later = Later(1, "test")
    ran: list[int] = []
    done = threading.Event()
    later.add(0.15, done.set)
    for number, seconds in ((2, 0.1), (0, 0), (1, 0.05)):
        later.add(seconds, partial(ran.append, number))
    assert done.wait(5)
    assert ran == [0, 1, 2]
    later.close(1)


def test_jobs_run_beside_each_other() -> None:
    later = Later(2, "test")
    meet = threading.Barrier(3)
    later.add(0, partial(meet.wait, 5))
    later.add(0, partial(meet.wait, 5))
    meet.wait(5)
    later.close(1)


def test_closing_drops_what_is_not_due() -> None:
    later = Later(2, "test")
    ran: list[int] = []
    later.add(0.1, lambda: ran.append(1))
    begun = time.monotonic()
    later.close(10)
    assert time.monotonic() - begun < 5
    later.add(0, lambda: ran.append(2))
    time.sleep(0.2)
    assert ran == []


def test_closing_does_not_wait_for_ever() -> None:
    later = Later(1, "test")
    running, end = threading.Event(), threading.Event()

    def think() -> None:
        running.set()
        end.wait(10)

    later.add(0, think)
    assert running.wait(5)
    begun = time.monotonic()
    later.close(0.1)
    assert 0.05 < time.monotonic() - begun < 5
    end.set()


def test_a_job_may_close() -> None:
    later = Later(1, "test")
    closed = threading.Event()

    def close() -> None:
        later.close(1)
        closed.set()

    later.add(0, close)
    assert closed.wait(5)
