"""Settings and fixtures for all tests."""

import signal

import pytest
from hypothesis import settings

from tests.browser import chromium_path, close_browser

# A busy machine is no reason to fail. (In CI, Hypothesis already has a steady profile of its own.)
settings.register_profile("unhurried", parent=settings(), deadline=None)
settings.load_profile("unhurried")

# Started in the background of a script, programs ignore Ctrl-C, and so do all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
