from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kartenkniffel.store import Store
from tests.store.storages import OPENERS


@dataclass
class Storage:
    """A kind of storage at a place; what it opened is closed after the test."""

    kind: str
    place: str
    opened: list[Store] = field(default_factory=list)

    def open(self) -> Store:
        store = OPENERS[self.kind](self.place)
        self.opened.append(store)
        return store


@pytest.fixture(params=list(OPENERS))
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    made = Storage(request.param, str(tmp_path / "data"))
    yield made
    for store in made.opened:
        store.close()


@pytest.fixture
def store(storage: Storage) -> Store:
    return storage.open()
