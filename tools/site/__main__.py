"""Build the documentation site: `python -m tools.site`; what is wrong with a page is an error.

Needs `pip install "serq[docs]"`, and no network. The site is `build/docs/index.html`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tools.site.places import ROOT
from tools.site.staging import stage

FLAGS = ("--fail-on-warning", "--keep-going", "--nitpicky", "-b", "html")
"""What is wrong is an error, a reference that leads nowhere is wrong, and all of it is said."""


def build(tree: Path, output: Path, *, quiet: bool = False, jobs: str = "auto") -> int:
    """Stage the pages in `tree` and render them into `output`; 0 when nothing was wrong."""
    stage(tree)
    flags = [*FLAGS, "-j", jobs, *(["--quiet"] if quiet else [])]
    sphinx = [sys.executable, "-m", "sphinx", *flags, "-c", str(ROOT / "docs")]
    return subprocess.run([*sphinx, str(tree), str(output)], check=False).returncode


def command() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "docs")
    parser.add_argument("--fresh", action="store_true", help="forget what was built before")
    parser.add_argument("--quiet", action="store_true", help="say what is wrong, and no more")
    arguments = parser.parse_args()
    tree = ROOT / "build" / "site"
    if find_spec("sphinx") is None:
        print('the site is built by Sphinx: pip install "serq[docs]"', file=sys.stderr)
        return 1
    if arguments.fresh:
        shutil.rmtree(tree, ignore_errors=True)
        shutil.rmtree(arguments.output, ignore_errors=True)
    try:
        status = build(tree, arguments.output, quiet=arguments.quiet)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    if status == 0:
        print(f"the site is {arguments.output / 'index.html'}")
    return status


if __name__ == "__main__":
    sys.exit(command())
