"""Prefill/decode disaggregation with NIXL pulls, with queues and without: one deployment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import serq
from serq.diagnostics import Source
from serq.syntax.format import format_source

FOLDER = Path(__file__).parents[2] / "examples" / "pd-disaggregation"
WITH_QUEUES = FOLDER / "llmd_nixl_pull.sq"
PLAIN = FOLDER / "llmd_nixl_pull_plain.sq"


def plain_names(node: Any) -> Any:
    """The data with `QUEUE.part` spelt as a program without queues has to spell it."""
    match node:
        case dict():
            return {key: plain_names(value) for key, value in node.items()}
        case list():
            return [plain_names(value) for value in node]
        case str():
            return node.replace(".", "_")
    return node


def test_both_programs_are_one_deployment() -> None:
    queues = json.loads(serq.compile(WITH_QUEUES).to_json())
    plain = json.loads(serq.compile(PLAIN).to_json())
    assert queues != plain
    assert plain_names(queues) == plain


def test_the_queues_have_long_names() -> None:
    program = serq.compile(WITH_QUEUES).ir
    pools = list(dict.fromkeys(pool.name for pool in program.pools))
    stages = list(dict.fromkeys(stage.name for stage in program.stages))
    assert pools == ["P.reqs", "P.kv", "D.running", "D.reqs", "D.kv"]
    assert stages == ["P", "P.nic", "D", "D.nic", "D.nic.latency", "tool"]
    assert program.share == "maxmin"


def test_the_deployment_serves() -> None:
    report = serq.run(serq.compile(WITH_QUEUES, horizon=30, warmup=0))
    assert report.observes["ttft"].count > 50
    assert report.observes["second"].count > 20
    # A second token comes after the handshake, a read and a step of the decoder.
    assert min(report.observes["second"].samples) > 0.003 + 0.012


@pytest.mark.parametrize("path", [WITH_QUEUES, PLAIN], ids=lambda path: path.stem)
def test_it_is_laid_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_source(Source(path.name, text)).text == text
