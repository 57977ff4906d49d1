import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import StaticPool

from kartenkniffel.store import StoreClosed
from kartenkniffel.store.writer import GroupWriter


class Crowd:
    """A writer whose first step waits, so that the steps asked for meanwhile form one group."""

    def __init__(self, engine: Engine) -> None:
        self.writer = GroupWriter(engine)
        self.pool = ThreadPoolExecutor(10)
        self.may_go = threading.Event()
        self.commits = 0
        event.listen(engine, "commit", self._count)

    def _count(self, connection: Connection) -> None:
        self.commits += 1

    def _wait(self, connection: Connection) -> None:
        assert self.may_go.wait(10)

    def _until_waiting(self, steps: int) -> None:
        deadline = time.monotonic() + 10
        while self.writer._queue.qsize() < steps:
            assert time.monotonic() < deadline
            time.sleep(0.001)

    def run(self, *statements: str) -> list[Future[object]]:
        running = threading.Event()

        def first(connection: Connection) -> None:
            running.set()
            self._wait(connection)

        futures: list[Future[object]] = [self.pool.submit(self.writer.do, first)]
        assert running.wait(10)
        for number, statement in enumerate(statements, 1):
            futures.append(self.pool.submit(self.writer.do, _step(statement)))
            self._until_waiting(number)
        self.may_go.set()
        for future in futures:
            future.exception(10)
        return futures


def _step(statement: str) -> Callable[[Connection], str]:
    def step(connection: Connection) -> str:
        connection.execute(text(statement))
        return statement

    return step


@pytest.fixture
def crowd() -> Iterator[Crowd]:
    engine = create_engine(
        "sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False}
    )
    event.listen(engine, "connect", lambda raw, _: setattr(raw, "isolation_level", None))
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE t (x INTEGER PRIMARY KEY)"))
    made = Crowd(engine)
    yield made
    made.writer.close()
    made.pool.shutdown()
    engine.dispose()


def test_a_crowd_shares_one_commit(crowd: Crowd) -> None:
    statements = [f"INSERT INTO t VALUES ({n})" for n in range(8)]
    futures = crowd.run(*statements)
    assert [future.result() for future in futures] == [None, *statements]
    assert crowd.commits == 1


def test_a_step_that_fails_is_undone_alone(crowd: Crowd) -> None:
    one, two, again = (f"INSERT INTO t VALUES ({n})" for n in (1, 2, 1))
    futures = crowd.run(one, again, two)
    assert [future.exception() is None for future in futures] == [True, True, False, True]
    rows = crowd.writer.do(lambda to: to.execute(text("SELECT x FROM t")).scalars().all())
    assert rows == [1, 2]
    assert crowd.commits == 2


def test_what_a_step_wrote_before_it_failed_is_undone(crowd: Crowd) -> None:
    def step(connection: Connection) -> None:
        connection.execute(text("INSERT INTO t VALUES (1)"))
        raise ValueError("half done")

    with pytest.raises(ValueError, match="half done"):
        crowd.writer.do(step)
    rows = crowd.writer.do(lambda to: to.execute(text("SELECT x FROM t")).scalars().all())
    assert rows == []


def test_when_the_database_fails_nobody_is_told_that_it_went_well(crowd: Crowd) -> None:
    futures = crowd.run("INSERT INTO t VALUES (1)", "SELECT x FROM not_there")
    assert all(isinstance(future.exception(), OperationalError) for future in futures)
    rows = crowd.writer.do(lambda to: to.execute(text("SELECT x FROM t")).scalars().all())
    assert rows == []


def test_a_closed_writer_takes_nothing_more(crowd: Crowd) -> None:
    crowd.writer.close()
    crowd.writer.close()
    with pytest.raises(StoreClosed):
        crowd.writer.do(_step("SELECT 1"))


def test_when_the_database_cannot_be_had_the_caller_is_told(tmp_path: Path) -> None:
    writer = GroupWriter(create_engine(f"sqlite:///{tmp_path / 'missing' / 'file'}"))
    with pytest.raises(OperationalError):
        writer.do(_step("SELECT 1"))
    writer.close()
