from collections.abc import Iterator
from pathlib import Path

import pytest

from kartenkniffel.pad import Pads
from kartenkniffel.store import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def pads(store: Store) -> Pads:
    return Pads(store)
