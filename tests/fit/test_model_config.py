"""Sizes of models, checked against what their makers publish."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from serq.diagnostics import SerqError
from serq.fit.analytic import experts_read
from serq.fit.deployment import deploy, program, text
from serq.fit.gpus import GPUS, find_gpu
from serq.fit.model_config import MOST_BYTES, read_config
from serq.fit.vllm_args import parse_vllm
from tests.docs.pages import read
from tests.fit.measured_runs import DATA

PUBLISHED = [
    # model, billions of parameters, used by a token, KV bytes of a token in BF16 where published
    ("llama-3.1-8b", 8.03, None, 128 * 1024),
    ("llama-3.1-70b", 70.6, None, 320 * 1024),
    ("qwen3-32b", 32.8, None, None),
    ("qwen3-30b-a3b", 30.5, 3.3, None),
    ("mixtral-8x7b", 46.7, 12.9, None),
    ("deepseek-v3", 671.0, 37.0, (512 + 64) * 61 * 2),
]


def config(name: str) -> str:
    return str(DATA / "configs" / f"{name}.json")


@pytest.mark.parametrize(("name", "billions", "used", "kv"), PUBLISHED)
def test_sizes_are_those_published(
    name: str, billions: float, used: float | None, kv: int | None
) -> None:
    model = read_config(config(name))
    assert model.parameters / 1e9 == pytest.approx(billions, rel=0.005)
    if used is not None:
        # DeepSeek counts 37 G used, with 0.9 G of the embedding table left out.
        assert model.active / 1e9 == pytest.approx(used, rel=0.02)
    if kv is not None:
        assert model.kv_bytes(2.0) == kv


def test_the_page_has_the_models_and_the_gpus(repository: Path) -> None:
    page = read(repository / "docs" / "estimate.md")
    rows = {row[0]: row for row in page.rows("Models")}
    for name, *_ in PUBLISHED:
        model = read_config(config(name))
        assert rows[name][1] == f"{model.parameters / 1e9:.2f} G", name
        assert rows[name][3] == f"{model.kv_bytes(2.0):,.0f} B"
    gpus = {row[0].strip("`"): row for row in page.rows("GPUs")}
    assert list(gpus) == list(GPUS)
    for gpu in GPUS.values():
        fp8 = "none" if gpu.fp8 is None else f"{gpu.fp8 / 1e12:g}"
        assert gpus[gpu.name][1:] == [
            f"{gpu.memory / 1024**3:g}",
            f"{gpu.bandwidth / 1e12:g}",
            f"{gpu.bf16 / 1e12:g}",
            fp8,
            gpu.source,
        ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model_type": "mamba"}, "model type `mamba`"),
        ({"hidden_size": "big"}, "`hidden_size` should be a whole number"),
        ({"num_hidden_layers": None}, "has no `num_hidden_layers`"),
        ({"quantization_config": {"quant_method": "gguf"}}, "quantized by `gguf`"),
        ({"torch_dtype": "int3"}, "weights of the type `int3`"),
    ],
)
def test_what_is_not_known_is_refused(
    change: dict[str, object], message: str, tmp_path: Path
) -> None:
    whole = json.loads(Path(config("llama-3.1-8b")).read_text()) | change
    path = tmp_path / "config.json"
    path.write_text(json.dumps(whole))
    with pytest.raises(SerqError, match=message) as refused:
        read_config(str(path))
    assert refused.value.diagnostics[0].code == "SQ722"


@pytest.mark.parametrize(
    "change", [{"quantization_config": {"quant_method": "gguf"}}, {"torch_dtype": "int3"}]
)
def test_weights_of_an_unknown_type_have_the_bytes_that_are_given(
    change: dict[str, object], tmp_path: Path
) -> None:
    whole = json.loads(Path(config("llama-3.1-8b")).read_text()) | change
    path = tmp_path / "config.json"
    path.write_text(json.dumps(whole))
    with pytest.raises(SerqError) as refused:
        read_config(str(path))
    assert "`--weights`" in (refused.value.diagnostics[0].help or "")
    assert read_config(str(path), 0.5).weight_bytes == 0.5


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("{\n", "it is no JSON: expecting property name enclosed in double quotes at line 2"),
        ("pool kv { cap 1; }", "it is no JSON: expecting value at line 1, column 1"),
        ("[]", "it is JSON, but no object"),
        ("[" * 5000, "it is no JSON: it is nested too deep"),
        ("{}", "it has no `model_type`"),
    ],
)
def test_what_is_no_configuration_is_refused(broken: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(broken)
    with pytest.raises(SerqError) as refused:
        read_config(str(path))
    (found,) = refused.value.diagnostics
    assert found.message.startswith(f"`{path}` is no model's configuration: {why}")
    assert "`config.json`" in str(found.help)


def test_a_text_config_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"text_config": 3}')
    with pytest.raises(SerqError, match="a `text_config` that is no object"):
        read_config(str(path))


def test_a_file_of_any_size_and_another_json_are_told(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(SerqError, match="has more than 16,777,216 bytes"):
        read_config(str(path))
    path.write_text("{}")
    with pytest.raises(SerqError, match="has no `model_type`"):
        read_config(str(path))


def test_weights_that_do_not_fit_are_refused() -> None:
    model = read_config(config("llama-3.1-70b"))
    with pytest.raises(SerqError, match="leave no room for a KV cache"):
        deploy(model, find_gpu("h100"), parse_vllm(""))
    assert deploy(model, find_gpu("h100"), parse_vllm(""), tp=4).blocks > 1000


def test_a_gpu_is_found_by_its_usual_names() -> None:
    assert find_gpu("H100-SXM").name == "h100"
    assert find_gpu("RTX 4090").name == "rtx4090"
    assert find_gpu("a100").name == "a100-80gb"
    with pytest.raises(SerqError) as refused:
        find_gpu("rtx409")
    assert "did you mean `rtx4090`?" in str(refused.value.diagnostics[0].help)


def test_experts_that_a_batch_reads() -> None:
    mixtral = read_config(config("mixtral-8x7b"))
    assert experts_read(mixtral, 1) == pytest.approx(2.0)
    assert 7.9 < experts_read(mixtral, 16) < 8.0
    assert experts_read(read_config(config("llama-3.1-8b")), 16) == 0.0


def test_a_command_line_is_read() -> None:
    found = parse_vllm(
        "vllm serve org/m --max_num_seqs=64 -tp 2 --no-enable-prefix-caching --port 80 "
        "--kv-cache-dtype fp8 --no-async-scheduling --trust-remote-code"
    )
    assert (found.model, found.max_num_seqs, found.tp) == ("org/m", 64, 2)
    assert (found.caching, found.asynchronous, found.kv) == (False, False, "fp8")
    assert found.unused == ["--port", "--trust-remote-code"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--data-parallel-size 2", "is not modelled"),
        ("--speculative-config '{}'", "is not modelled"),
        ("--scheduling-policy priority", "is not modelled"),
        ("--no-enable-chunked-prefill", "is not modelled"),
        ("--max-num-seqs many", "takes a whole number"),
        ("--max-num-seqs 0", "takes a whole number"),
        ("--max-num-seqs", "takes a whole number"),
        ("--gpu-memory-utilization 90", "takes a share"),
        ("--dtype int7", "takes one of"),
        ("--quantization awq", "does not say how many bits"),
        ("--x 'open", "can not be read"),
    ],
)
def test_what_a_command_line_can_not_say_is_refused(arguments: str, message: str) -> None:
    with pytest.raises(SerqError, match=message):
        parse_vllm(arguments)


def test_defaults_are_those_of_a_server_on_the_gpu() -> None:
    model = read_config(config("llama-3.1-8b"))
    for gpu, seqs, budget in (
        ("rtx4090", 256, 2048),
        ("a100", 256, 2048),
        ("h100", 1024, 8192),
        ("b200", 1024, 16384),
    ):
        setup = deploy(model, find_gpu(gpu), parse_vllm("")).setup
        assert (setup.max_num_seqs, setup.max_num_batched_tokens) == (seqs, budget)


def test_a_chunk_cap_is_written() -> None:
    model = read_config(config("llama-3.1-8b"))
    found = deploy(model, find_gpu("h100"), parse_vllm("--long-prefill-token-threshold 512"))
    written = program(found)
    assert "chunk vllm_chunk(reqs, long_prefill_tokens, 1);" in written
    assert "let long_prefill_tokens = 512;" in written
    assert "{" + "chunk}" not in written


def test_every_term_says_where_it_is_from() -> None:
    found = deploy(read_config(config("deepseek-v3")), find_gpu("h200"), parse_vllm("-tp 8"))
    said = text(found)
    assert "37.55 G used by a token" in said
    assert "70272 B in 61 layers" in said
    assert "all-reduces" in said
    assert "multi-token prediction are left out" in said
