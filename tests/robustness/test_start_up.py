"""Starting a command: what it loads, and Ctrl-C before it has loaded it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SMALL = """stage s : fifo;
workload { arrive poisson(0.8); }
session { set t = now; run s (~exp(1)); observe sojourn = now - t; }
run { horizon 100; seed 4; }
"""

LOADED = """
import atexit, json, runpy, sys
atexit.register(lambda: sys.stderr.write(json.dumps(sorted(sys.modules))))
sys.argv = ["serq", *sys.argv[1:]]
runpy.run_module("serq", run_name="__main__")
"""

INTERRUPTED = """
import os, runpy, signal, sys
where = sys.argv[1]
class Interrupting:
    @staticmethod
    def find_spec(name, *_):
        if name == where:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting)
sys.argv = ["serq", *sys.argv[2:]]
runpy.run_module("serq", run_name="__main__")
"""


def start(code: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "small.sq").write_text(SMALL)
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def loaded(*arguments: str, folder: Path) -> set[str]:
    """The modules a command has loaded when it ends."""
    done = start(LOADED, *arguments, folder=folder)
    assert done.returncode == 0, done.stderr
    modules: list[str] = json.loads(done.stderr)
    return set(modules)


def packages(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


HEAVY = {"numpy", "pandas", "matplotlib", "pyarrow", "scipy", "rich", "asyncio", "unittest"}


def test_check_loads_neither_packages_nor_engines(tmp_path: Path) -> None:
    modules = loaded("check", "small.sq", folder=tmp_path)
    assert HEAVY & packages(modules) == set()
    parts = {".".join(name.split(".")[:2]) for name in modules if name.startswith("serq.")}
    unused = {"engines", "native", "report", "semantics", "stats", "sweeps", "fit", "oracle"}
    assert parts & {f"serq.{name}" for name in unused} == set()
    assert "serq.ir.read" not in modules


def test_a_run_loads_no_packages(tmp_path: Path) -> None:
    modules = loaded("run", "small.sq", "--json", "--quiet", folder=tmp_path)
    assert HEAVY & packages(modules) == set()


def test_importing_the_package_loads_nothing_of_it(tmp_path: Path) -> None:
    code = "import sys; before = set(sys.modules); import serq; print(set(sys.modules) - before)"
    done = start(code, folder=tmp_path)
    assert "serq.api" not in done.stdout
    assert "click" not in done.stdout


@pytest.mark.parametrize("where", ["serq.cli.main", "click", "serq.cli.check", "serq.link"])
def test_ctrl_c_while_it_loads_leaves_no_traceback(where: str, tmp_path: Path) -> None:
    done = start(INTERRUPTED, where, "check", "small.sq", folder=tmp_path)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.strip() == "interrupted"
