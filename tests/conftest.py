"""Settings and fixtures for all tests."""

import pytest
from hypothesis import settings

from tests.browser import chromium_path, close_browser

# A busy machine is no reason to fail. (In CI, Hypothesis already has a steady profile of its own.)
settings.register_profile("unhurried", parent=settings(), deadline=None)
settings.load_profile("unhurried")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Close the browser that tests share before one that may want an event loop of its own."""
    if item.get_closest_marker("browser") is None:
        close_browser()


def pytest_sessionfinish() -> None:
    close_browser()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium, for `tests.browser.lent`."""
    return chromium_path()
