"""Lets a failed check of a page say what it saw."""

import pytest

pytest.register_assert_rewrite("tests.pad.printing.looks")
