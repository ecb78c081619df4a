from pathlib import Path

import pytest
from tests.unit.syntax.reading import mistakes, program, shown

from serq.diagnostics import Source
from serq.syntax import parse
from serq.syntax.format import format_source
from serq.syntax.parser import libraries
from serq.syntax.parser.libraries import shipped_libraries
from serq.syntax.parser.state import MOST_CHARACTERS

USE = 'use "lib.sq"; let x = f(1);'


def test_a_library_gives_its_definitions() -> None:
    read = program(USE, {"lib.sq": "// a library\ndef f(a) = a + 1;"})
    span = read.lets[0].value.span
    assert shown(read.lets[0].value) == "(1 + 1)"
    assert span.source.name == "program.sq"


def test_paths_are_taken_from_the_file_that_uses_them() -> None:
    libraries = {"l/a.sq": 'use "b.sq"; def f(a) = g(a);', "l/b.sq": "def g(a) = a * 2;"}
    assert shown(program('use "l/a.sq"; let x = f(1);', libraries).lets[0].value) == "(1 * 2)"


def test_a_file_is_read_once_however_it_is_used() -> None:
    text = 'use "lib.sq"; use "lib.sq"; use "./x/../lib.sq"; use "program.sq"; let x = f(1);'
    program(text, {"lib.sq": 'use "lib.sq"; use "program.sq"; def f(a) = a;'})


@pytest.mark.parametrize(
    ("library", "code", "where"),
    [
        ("let y = 3;\ndef f(a) = a;", "SQ124", "lib.sq:1:1"),
        ("def f(a) = a; foo", "SQ124", "lib.sq:1:15"),
        ("def f(a) = @;", "SQ001", "lib.sq:1:12"),
        ("def f(a) = a", "SQ103", "lib.sq:1:5"),
        ("def f(a) = ;", "SQ101", "lib.sq:1:5"),
        ('use "nope.sq"; def f(a) = a;', "SQ123", "lib.sq:1:1"),
        ("def f(a) = 1 + ;", "SQ101", "program.sq:1:26"),
        ("def g(a) = 1 + ; def f(a) = g(a);", "SQ101", "lib.sq:1:32"),
    ],
)
def test_a_mistake_in_a_library_is_shown_there(library: str, code: str, where: str) -> None:
    (found,) = mistakes(USE, {"lib.sq": library})
    assert (found.code, found.where()) == (code, where)


def test_a_mistake_in_a_library_says_who_uses_it() -> None:
    (found,) = mistakes(USE, {"lib.sq": "def f(a) = @;"})
    assert found.span is not None
    assert [(e.name, e.use.text) for e in found.span.expansions()] == [("lib.sq", 'use "lib.sq";')]


def test_a_library_that_is_not_there() -> None:
    (found,) = mistakes('use "gone.sq"; let x = 1;')
    assert (found.code, found.where()) == ("SQ123", "program.sq:1:1")
    assert found.message == "the library `gone.sq` can not be read: No such file or directory"


def test_a_library_of_the_file_system(tmp_path: Path) -> None:
    (tmp_path / "lib.sq").write_text("def f(a) = a;", encoding="utf-8")
    main = tmp_path / "main.sq"
    assert parse(Source(str(main), USE)).program is not None
    (tmp_path / "lib.sq").write_bytes(b"def f(a) = a; // \xff")
    (found,) = parse(Source(str(main), USE)).diagnostics
    assert found.code == "SQ123"
    for written in ("", ".", "a\0b"):
        (found,) = parse(Source(str(main), f'use "{written}";')).diagnostics
        assert found.code == "SQ123"


def test_a_program_without_a_file_uses_no_library() -> None:
    (found,) = parse(Source("<string>", 'use "lib.sq";')).diagnostics
    assert (found.code, found.help) == ("SQ123", "compile the program from its file")


def test_libraries_may_not_use_one_another_without_end() -> None:
    libraries = {f"{n}.sq": f'use "{n + 1}.sq";' for n in range(1_000)}
    (found,) = mistakes('use "0.sq";', libraries)
    assert found.code == "SQ112"


def test_a_library_may_not_be_huge() -> None:
    (found,) = mistakes(USE, {"lib.sq": " " * (MOST_CHARACTERS + 1)})
    assert found.code == "SQ126"


@pytest.mark.parametrize("name", ["program.sq", "<string>", "a/b/program.sq"])
def test_a_library_of_serq_is_found_from_everywhere(name: str) -> None:
    parsed = parse(Source(name, 'use "serq:vllm"; use "serq:vllm"; let x = vllm_chunk(r, 3, 0);'))
    assert parsed.program is not None
    span = parsed.program.lets[0].value.span
    assert span.source.name == name


def test_a_library_of_yours_may_use_one_of_serqs() -> None:
    program(USE, {"lib.sq": 'use "serq:vllm"; def f(a) = vllm_known(a);'})


@pytest.mark.parametrize("written", ["serq:vlm", "serq:", "serq:../lib/vllm", "serq:vllm.sq"])
def test_a_library_that_serq_does_not_bring(written: str) -> None:
    (found,) = parse(Source("<string>", f'use "{written}";')).diagnostics
    assert (found.code, found.where()) == ("SQ123", "<string>:1:1")
    assert found.message == f"`{written}` is no library of serQ; it brings `serq:vllm`"


@pytest.mark.parametrize("library", ["serq:vlm", "gone.sq"])
def test_what_a_missing_library_would_define_is_not_missed(library: str) -> None:
    (found,) = mistakes(f'use "{library}"; session {{ vllm_request(reqs, kv); }}')
    assert found.code == "SQ123"


def test_every_library_of_serq_is_laid_out_and_documented() -> None:
    folder = Path(libraries.__file__).parents[2] / "lib"
    assert [f"serq:{path.stem}" for path in sorted(folder.glob("*.sq"))] == shipped_libraries()
    for path in folder.glob("*.sq"):
        source = Source(str(path), path.read_text(encoding="utf-8"))
        assert format_source(source).text == source.text
