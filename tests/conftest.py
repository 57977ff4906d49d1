"""Settings and fixtures for all tests."""

import pytest
from hypothesis import settings

from tests.browser import chromium_path

# A busy machine is no reason to fail. (In CI, Hypothesis already has a steady profile of its own.)
settings.register_profile("unhurried", parent=settings(), deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium, for Playwright's `executable_path`; start it with `--no-sandbox`."""
    return chromium_path()
