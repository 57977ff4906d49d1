"""Fixtures for all tests."""

import pytest

from tests.browser import chromium_path


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium, for Playwright's `executable_path`; start it with `--no-sandbox`."""
    return chromium_path()
