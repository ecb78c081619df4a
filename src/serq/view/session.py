"""The session as a figure: its statements from top to bottom, the scopes of holds as boxes.

Depends on the parts of a flow, the IR and its words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from serq.ir.nodes import (
    Block,
    Branch,
    Choose,
    Drop,
    Grow,
    Hold,
    Load,
    Loop,
    Observe,
    Program,
    Release,
    Run,
    Set,
    Statement,
    Turn,
)
from serq.ir.nodes import (
    End as EndStatement,
)
from serq.ir.recursion import Recursive, run
from serq.view.arrivals import arrival_groups, arrival_title
from serq.view.canvas import crop
from serq.view.figure import Edge, Figure, Line, Node, Rect, Style
from serq.view.parts import (
    GAP,
    Drawn,
    End,
    Part,
    arrive,
    below,
    box,
    dot,
    framed,
    side_label,
    upper_label,
)
from serq.view.words import Words

_DIAMOND: Final = 11.0
_COLUMN_GAP: Final = 34.0
_LANE: Final = 16.0


def session(program: Program, title: str = "session") -> Figure:
    """The figure of a program's session."""
    drawing = _Session(program)
    parts = [
        part
        for part in (
            dot("arrival", arrival_title(program, drawing.words), ring=False),
            drawing.first(),
            run(drawing.block(program.session)),
        )
        if part is not None
    ]
    if parts[-1].ends:
        parts.append(dot("ends", "end", ring=True))
    whole = below(parts)
    assert whole is not None
    nodes, edges = whole.drawn.flat()
    frames = [node for node in nodes if node.frame]
    frames.sort(key=lambda node: -node.rect.width * node.rect.height)
    others = [node for node in nodes if not node.frame]
    return crop(title, [*frames, *others], edges)


class _Session:
    def __init__(self, program: Program) -> None:
        self._program = program
        self.words = Words(program)
        self._count = 0

    def _key(self, word: str) -> str:
        self._count += 1
        return f"{word} {self._count}"

    def first(self) -> Part | None:
        """What sessions start with and what is hidden."""
        lines: list[str] = []
        for name, told in arrival_groups(self._program, self.words):
            if name == "init":
                lines += told
            elif name != "turn":
                lines += [f"{name} {line}" for line in told]
        return box(self._key("init"), "", lines, Style.PLAIN) if lines else None

    def block(self, number: int) -> Recursive[Part | None]:
        """A block's statements one under another; None for an empty one."""
        parts: list[Part] = []
        for group in _groups(self._program.blocks[number]):
            part = yield self._group(group)
            parts.append(part)
            if not part.ends:
                break
        return below(parts)

    def _group(self, group: list[Statement]) -> Recursive[Part]:
        first = group[0]
        match first:
            case Run():
                part = self._run(first)
            case Turn():
                part = self._turn()
            case EndStatement():
                part = dot(self._key("end"), "end", ring=True)
                part = _without_ends(part)
            case Choose():
                part = self._choose(group)
            case Hold():
                part = yield self._hold(first)
            case Branch():
                part = yield self._branch(first)
            case Loop():
                part = yield self._loop(first)
            case _:
                lines = [self._line(statement) for statement in group]
                part = box(self._key("set"), "", lines, Style.PLAIN)
        return part

    def _line(self, statement: Statement) -> str:
        words = self.words
        match statement:
            case Set():
                value = words.expression(statement.value)
                return f"{words.attribute(statement.slot)} = {value}"
            case Observe():
                name = self._program.observes[statement.observe]
                return f"observe {name} = {words.expression(statement.value)}"
            case Grow() | Load():
                word = type(statement).__name__.lower()
                amount = words.argument(statement.units)
                return f"{word} {words.reference(statement.pool)} {amount}"
            case _:
                assert isinstance(statement, Release | Drop)
                word = type(statement).__name__.lower()
                return f"{word} {words.reference(statement.pool)}"

    def _run(self, statement: Run) -> Part:
        words = self.words
        stages = [words.reference(each) for each in (statement.stage, *statement.also)]
        line = words.argument(statement.work)
        if statement.growing is not None:
            line += f" growing {words.reference(statement.growing)}"
        mark = "run" if statement.mode == "plain" else statement.mode
        return box(self._key("run"), ", ".join(stages), [line], Style.STATION, mark=mark)

    def _turn(self) -> Part:
        lines: list[str] = []
        if self._program.trace is not None:
            lines.append("new, out, think, forced, more from the trace")
        for statement in self._program.blocks[self._program.turn]:
            lines.append(self._line(statement))
        return box(self._key("turn"), "turn", lines, Style.ROUTER)

    def _choose(self, group: list[Statement]) -> Part:
        words = self.words
        lines = [
            f"{words.attribute(each.slot)} in {words.expression(each.count)} "
            f"{words.keys(each.keys)}"
            for each in group
            if isinstance(each, Choose)
        ]
        return box(self._key("choose"), "choose", lines, Style.ROUTER)

    def _hold(self, statement: Hold) -> Recursive[Part]:
        words = self.words
        names = [words.reference(each.pool) for each in statement.pools]
        lines: list[str] = []
        for name, each in zip(names, statement.pools, strict=True):
            told = f"{name} " if len(names) > 1 else ""
            line = told + words.argument(each.units)
            if each.reserve is not None:
                line += f" reserve {words.argument(each.reserve)}"
            lines.append(line)
        if statement.reuse is not None:
            lines.append(f"reuse {words.argument(statement.reuse)}")
        key = self._key("hold")
        parts = [box(f"{key} admission", f"hold {', '.join(names)}", lines, Style.ADMISSION)]
        body = yield self.block(statement.body)
        if body is not None:
            parts.append(body)
        foot: list[str] = []
        if statement.cache is not None:
            foot.append(f"cache {words.argument(statement.cache)}")
        if statement.lease is not None:
            pool = words.reference(statement.lease.pool)
            foot.append(f"lease {pool} {words.argument(statement.lease.time)}")
        inner = below(parts)
        assert inner is not None
        if foot:
            inner = _under(inner, box(f"{key} release", "", foot, Style.RELEASE))
        return framed(key, inner, Style.POOL)

    def _loop(self, statement: Loop) -> Recursive[Part]:
        body = yield self.block(statement.body)
        if body is None:
            body = dot(self._key("pass"), "", ring=False)
        key = self._key("loop")
        inner = body.moved(0, GAP)
        x = -inner.left - _LANE
        edges: list[Edge] = []
        floor = inner.height + (_LANE if inner.ends else 0.0)
        for end in inner.ends:
            last_x, _ = end.points[-1]
            turn = GAP - 10
            points = (*end.points, (last_x, floor), (x, floor), (x, turn), (0.0, turn),
                      (0.0, inner.entry_y))  # fmt: skip
            line = Line(points, Style.BACK, radius=8)
            edges.append(Edge(end.source, inner.entry, line, end.label))
        looped = Part(inner.left + _LANE, inner.right, floor, inner.entry, inner.entry_y,
                      Drawn((), tuple(edges), (inner.drawn,)))  # fmt: skip
        return framed(key, looped, Style.LOOP, title="loop", top=0.0, bottom=12.0)

    def _branch(self, statement: Branch) -> Recursive[Part]:
        then = yield self.block(statement.then)
        otherwise = yield self.block(statement.otherwise)
        likely = self.words.probability(statement.test)
        test = self.words.expression(statement.test) if likely is None else f"w.p. {likely}"
        key = self._key("branch")
        diamond = Line(((-_DIAMOND, _DIAMOND), (0, 0), (_DIAMOND, _DIAMOND), (0, 2 * _DIAMOND)),
                       Style.ROUTER, closed=True)  # fmt: skip
        node = Node(key, Rect(-_DIAMOND, 0, 2 * _DIAMOND, 2 * _DIAMOND), (diamond,), (diamond,))
        if then is not None and otherwise is not None:
            return _two_arms(node, then, otherwise, test)
        if then is None and otherwise is not None:
            return _one_arm(node, otherwise, "else", test)
        if then is not None:
            return _one_arm(node, then, test, "else")
        label = side_label(test, 8, 2 * _DIAMOND + 2)
        end = End(key, ((0.0, 2 * _DIAMOND),), label)
        right = max(_DIAMOND, label.rect.right)
        return Part(_DIAMOND, right, label.rect.bottom, key, 0.0, Drawn((node,)), (end,))


def _groups(block: Block) -> list[list[Statement]]:
    """The statements of a block; those that only set, observe or move units stand together."""
    groups: list[list[Statement]] = []
    for statement in block:
        kind = _kind(statement)
        if groups and kind is not None and _kind(groups[-1][-1]) == kind:
            groups[-1].append(statement)
        else:
            groups.append([statement])
    return groups


def _kind(statement: Statement) -> str | None:
    match statement:
        case Set() | Observe() | Grow() | Load() | Release() | Drop():
            return "plain"
        case Choose():
            return "choose"
        case _:
            return None


def _without_ends(part: Part) -> Part:
    return replace(part, ends=())


def _under(upper: Part, foot: Part) -> Part:
    """A scope's foot: the flow goes through it, when it gets there."""
    joined = below([upper, foot])
    assert joined is not None
    return joined if upper.ends else replace(joined, ends=())


def _one_arm(node: Node, arm: Part, taken: str, passed: str) -> Part:
    """A branch with one empty block: the other below the diamond, a way past it at the right."""
    label = side_label(taken, 8, 2 * _DIAMOND + 1)
    arm = arm.moved(0, 2 * _DIAMOND + label.rect.height + 16)
    past = upper_label(passed, 0, _DIAMOND - 3)
    wide = past.rect.width
    side = max(arm.right, label.rect.right, _DIAMOND + wide + 20) + 14
    past = past.moved(_DIAMOND + 8 + wide / 2, 0)
    way = End(node.key, ((_DIAMOND, _DIAMOND), (side, _DIAMOND)), past)
    down = End(node.key, ((0.0, 2 * _DIAMOND),), label)
    top = max(0.0, -past.rect.y)
    part = Part(
        max(_DIAMOND, arm.left), side, arm.height, node.key, 0.0,
        Drawn((node,), arrive((down,), arm, 0.0), (arm.drawn,)),
        (*arm.ends, way),
    )  # fmt: skip
    return part.moved(0, top)


def _two_arms(node: Node, then: Part, otherwise: Part, test: str) -> Part:
    """A branch with two blocks: the first at the left, the second at the right."""
    first, second = upper_label(test, 0, _DIAMOND - 3), upper_label("else", 0, _DIAMOND - 3)
    reach = _DIAMOND + 22
    x_then = -max(then.right + _COLUMN_GAP / 2, first.rect.width + reach)
    x_else = max(otherwise.left + _COLUMN_GAP / 2, second.rect.width + reach)
    top = max(0.0, -first.rect.y, -second.rect.y)
    y = 2 * _DIAMOND + 14
    arms = then.moved(0, y), otherwise.moved(0, y)
    edges: list[Edge] = []
    inner: list[Drawn] = []
    ends: list[End] = []
    for arm, x, label in zip(arms, (x_then, x_else), (first, second), strict=True):
        side = _DIAMOND if x > 0 else -_DIAMOND
        middle = (side + x) / 2 + (-3 if x > 0 else 3)
        points = ((side, _DIAMOND), (x, _DIAMOND), (x, arm.entry_y))
        line = Line(points, Style.FLOW, radius=8)
        edges.append(Edge(node.key, arm.entry, line, label.moved(middle, 0)))
        moved = arm.moved(x, 0)
        inner.append(moved.drawn)
        ends += moved.ends
    height = max(arm.height for arm in arms)
    part = Part(
        max(_DIAMOND, then.left - x_then), max(_DIAMOND, otherwise.right + x_else), height,
        node.key, 0.0, Drawn((node,), tuple(edges), tuple(inner)), tuple(ends),
    )  # fmt: skip
    return part.moved(0, top)
