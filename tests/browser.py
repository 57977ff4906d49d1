"""Finds the system's Chromium, for the browser tests and for the Makefile.

Playwright's own download of a browser is not used: the tests run what people have.
"""

import os
import shutil
import sys

import pytest

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


def find_chromium() -> str | None:
    """The path of Chromium or Chrome; KARTENKNIFFEL_CHROMIUM, when set, is the only candidate."""
    named = os.environ.get("KARTENKNIFFEL_CHROMIUM")
    for name in [named] if named else NAMES:
        if path := shutil.which(name):
            return path
    return None


def chromium_path() -> str:
    """The path of Chromium; without one, skips the running test, but fails it in CI."""
    if path := find_chromium():
        return path
    reason = "Chromium is missing: install it or set KARTENKNIFFEL_CHROMIUM (`make test` does)"
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


if __name__ == "__main__":
    found = find_chromium()
    if found is None:
        sys.exit(1)
    print(f"Chromium: {found}")
