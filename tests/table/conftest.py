from collections.abc import Iterator
from pathlib import Path

import pytest

from kartenkniffel.store import Store, open_store
from kartenkniffel.table import Tables
from tests.table.helpers import BOTS


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def tables(store: Store) -> Tables:
    """Tables whose bots do not play."""
    return Tables(store, BOTS)


@pytest.fixture
def running(store: Store) -> Iterator[Tables]:
    """Tables whose bots play without a pause."""
    with Tables(store, BOTS, pause=0) as running:
        yield running
