"""Starting a command: what it loads, and Ctrl-C before it has loaded it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from serq.cli.main import VERBS

SMALL = """stage s : fifo;
workload { arrive poisson(0.8); }
session { set t = now; run s (~exp(1)); observe sojourn = now - t; }
run { horizon 100; seed 4; }
"""

LOADED = """
import atexit, runpy, sys
before = set(sys.modules)
def tell():
    loaded = sorted(set(sys.modules) - before)
    import json
    sys.stderr.write(json.dumps(loaded))
atexit.register(tell)
sys.argv = ["serq", *sys.argv[1:]]
runpy.run_module("serq", run_name="__main__")
"""

DATACLASSES = """
import atexit, dataclasses, runpy, sys
made = []
real = dataclasses._process_class
def process(kind, *options, **more):
    made.append(f"{kind.__module__}.{kind.__name__}")
    return real(kind, *options, **more)
dataclasses._process_class = process
def tell():
    import json
    sys.stderr.write(json.dumps(made))
atexit.register(tell)
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


def start(
    code: str, *arguments: str, folder: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    (folder / "small.sq").write_text(SMALL)
    command = [sys.executable, "-c", code, *arguments]
    variables = {**os.environ, **environment}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=variables
    )


def told(code: str, *arguments: str, folder: Path, **environment: str) -> set[str]:
    """What the code lists when the command has ended."""
    done = start(code, *arguments, folder=folder, **environment)
    assert done.returncode == 0, done.stderr
    names: list[str] = json.loads(done.stderr)
    return set(names)


def loaded(*arguments: str, folder: Path, **environment: str) -> set[str]:
    """The modules a command has loaded when it ends, those of an empty Python aside."""
    return told(LOADED, *arguments, folder=folder, **environment)


def packages(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


HEAVY = {"numpy", "pandas", "matplotlib", "pyarrow", "scipy", "rich", "asyncio", "unittest"} | {
    "concurrent", "decimal", "email", "http", "json", "logging", "multiprocessing", "random",
    "subprocess", "tempfile", "traceback", "unicodedata",
}  # fmt: skip
SELDOM = {
    "serq.ir.json_text",
    "serq.ir.read",
    "serq.link.queues.lowering",
    "serq.syntax.format",
    "serq.syntax.parser.habits",
    "serq.syntax.parser.pulls",
    "serq.syntax.parser.queues",
    "serq.trace.read",
}
"""What a right program without queues and without a trace has no use for."""


def test_check_loads_neither_packages_nor_engines(tmp_path: Path) -> None:
    modules = loaded("check", "small.sq", folder=tmp_path)
    assert HEAVY & packages(modules) == set()
    parts = {".".join(name.split(".")[:2]) for name in modules if name.startswith("serq.")}
    unused = {"engines", "native", "report", "semantics", "stats", "sweeps", "fit", "oracle"}
    assert parts & {f"serq.{name}" for name in unused} == set()
    assert modules & SELDOM == set()


def test_a_run_loads_no_packages(tmp_path: Path) -> None:
    modules = loaded("run", "small.sq", "--quiet", folder=tmp_path)
    assert HEAVY & packages(modules) == set()
    assert modules & SELDOM == set()


@pytest.mark.parametrize("verb", ["check", "run"])
def test_no_dataclass_is_compiled(verb: str, tmp_path: Path) -> None:
    quiet = ["--quiet"] if verb == "run" else []
    made = told(DATACLASSES, verb, "small.sq", *quiet, folder=tmp_path)
    ours = {name for name in made if name.startswith("serq.")}
    assert {name for name in ours if not name.startswith("serq.records.")} == set()


def test_the_list_of_verbs_loads_none(tmp_path: Path) -> None:
    completing = {"_SERQ_COMPLETE": "bash_complete", "COMP_WORDS": "serq ", "COMP_CWORD": "1"}
    for modules in (loaded("--help", folder=tmp_path), loaded(folder=tmp_path, **completing)):
        assert "serq.cli.main" in modules
        assert modules & {f"serq.cli.{verb}" for verb in VERBS} == set()
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
