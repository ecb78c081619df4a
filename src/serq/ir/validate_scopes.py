"""Checks of scopes: what grows, loads, releases and leases is held there (contract §3, *Pools*).

A pool is named in a scope as its hold names it, index included: whether two indices are one
member is not known before the run. Depends on the walk and the report.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from serq.ir.nodes import Grow, Hold, Load, PoolReference, Release, Run, Statement
from serq.ir.spans import Path
from serq.ir.validate_report import Checks
from serq.ir.walk import fingerprint, nested_blocks
from serq.records import Draft

MOST_ENTRIES = 1_000_000
"""How often blocks may be entered when blocks of an IR are shared."""

Key = tuple[object, ...]


def check_scopes(checks: Checks) -> None:
    """Follow the session through its blocks, knowing what is held; blocks do not recurse."""
    _Scopes(checks).follow(checks.program.session)


class _Scopes(Draft):
    checks: Checks
    held: Counter[Key] = field(default_factory=Counter)
    keys: dict[int, Key] = field(default_factory=dict)
    leased: set[Key] = field(default_factory=set)

    def key(self, pool: PoolReference) -> Key:
        """What two references share when they are written the same way."""
        if pool.index is None:
            return ("pool", pool.base)
        key = self.keys.get(id(pool))
        if key is None:
            key = self.keys[id(pool)] = ("member", pool.base, fingerprint(pool))
        return key

    def follow(self, session: int) -> None:
        """Enter every block the session runs, depth first."""
        blocks = self.checks.program.blocks
        for statements in blocks:
            for statement in statements:
                if isinstance(statement, Hold) and statement.lease is not None:
                    self.leased.add(self.key(statement.lease.pool))
        entries = 1
        stack: list[tuple[int, int, Hold | None]] = [(session, 0, None)]
        while stack:
            block, position, hold = stack.pop()
            if position == len(blocks[block]):
                self._leave(hold)
                continue
            stack.append((block, position + 1, hold))
            statement = blocks[block][position]
            self._check(statement, ("blocks", block, position))
            within = statement if isinstance(statement, Hold) else None
            inner = nested_blocks(statement)
            entries += len(inner)
            if entries > MOST_ENTRIES:
                message = f"the blocks are entered in more than {MOST_ENTRIES:,} ways"
                self.checks.report("SQ125", message, ("session",))
                return
            if within is not None:
                self.held.update(self.key(pool.pool) for pool in within.pools)
            stack.extend((each, 0, within) for each in reversed(inner))

    def _leave(self, hold: Hold | None) -> None:
        if hold is not None:
            self.held.subtract(self.key(pool.pool) for pool in hold.pools)

    def _check(self, statement: Statement, path: Path) -> None:
        match statement:
            case Hold():
                self._check_lease(statement, path)
            case Release():
                key = self.key(statement.pool)
                if self.held[key] <= 0 and key not in self.leased:
                    self._outside("SQ407", "release", statement.pool, path, "or leases it anywhere")
            case Load():
                if self.held[self.key(statement.pool)] <= 0:
                    self._outside("SQ418", "load", statement.pool, path)
            case Grow():
                if self.held[self.key(statement.pool)] <= 0:
                    self._outside("SQ406", "grow", statement.pool, path)
            case Run() if statement.growing is not None and statement.mode != "plain":
                if self.held[self.key(statement.growing)] <= 0:
                    at = (*path, "growing")
                    self._outside("SQ406", "growing", statement.growing, at)
            case _:
                pass

    def _check_lease(self, hold: Hold, path: Path) -> None:
        if hold.lease is None:
            return
        if self.key(hold.lease.pool) not in {self.key(pool.pool) for pool in hold.pools}:
            self.checks.report(
                "SQ417",
                f"the lease is of `{self._shown(hold.lease.pool)}`, which this hold does not take",
                (*path, "lease", "pool"),
                help="lease one of the hold's pools, written as the hold writes it",
            )

    def _outside(
        self, code: str, word: str, pool: PoolReference, path: Path, more: str = ""
    ) -> None:
        shown = self._shown(pool)
        message = f"`{word}` acts on a hold of `{shown}`, and none encloses it"
        if more:
            message = f"{message} {more}"
        other = any(count > 0 and key[1] == pool.base for key, count in self.held.items())
        help = f"write it inside `hold {shown} (…) {{ … }}`"
        if other:
            help = "write the pool as the hold does, index included"
        self.checks.report(code, message, path, help=help)

    def _shown(self, pool: PoolReference) -> str:
        pools = self.checks.program.pools
        name = pools[pool.base].name if 0 <= pool.base < len(pools) else f"pool {pool.base}"
        return name if pool.index is None else f"{name}[…]"
