"""What ``make`` says, with the real Makefile and scripts in a folder where all is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")
def test_make_solver_says_that_it_is_ready_when_nothing_is_to_be_done(tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "tools/install.sh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    pins = (tmp_path / "pyproject.toml").read_bytes() + (tmp_path / "constraints.txt").read_bytes()
    key = subprocess.run(["cksum"], input=pins, capture_output=True, check=True).stdout.decode()
    (tmp_path / ".venv" / ".installed-solver").write_text(f"{key.strip()} {tmp_path}\n")
    # A make that runs these tests would have this one tell which folder it is in.
    own = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "solver"]
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "The exact solver is ready: .venv/bin/kartenkniffel value --help\n"
