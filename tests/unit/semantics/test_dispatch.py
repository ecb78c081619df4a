"""Every node of the IR has its function, and every word its meaning."""

from typing import get_args

from serq.ir import nodes as ir
from serq.ir.arithmetic import FUNCTIONS as NUMERIC_FUNCTIONS
from serq.semantics import expressions, statements
from serq.semantics.functions import FUNCTIONS
from serq.semantics.rng import DRAWS
from serq.semantics.scope import Scope
from serq.vocabulary.distributions import DISTRIBUTIONS
from serq.vocabulary.functions import FUNCTIONS as WORDS
from serq.vocabulary.functions import VALUE_FUNCTIONS
from serq.vocabulary.moments import CONTEXT_VARIABLES
from serq.vocabulary.operators import AND, BINARY, OR


def test_expressions() -> None:
    assert set(expressions.HANDLERS) == set(get_args(ir.Expression))


def test_statements() -> None:
    assert set(statements.HANDLERS) == set(get_args(ir.Statement))


def test_operators() -> None:
    assert set(expressions.OPERATORS) == set(BINARY) - {AND, OR}


def test_functions() -> None:
    assert set(NUMERIC_FUNCTIONS) == VALUE_FUNCTIONS
    assert set(FUNCTIONS) == {f.name for f in WORDS.values() if f.live}


def test_distributions() -> None:
    assert set(DRAWS) == set(DISTRIBUTIONS)


def test_context_variables() -> None:
    assert {name for name in CONTEXT_VARIABLES if hasattr(Scope, name)} == set(CONTEXT_VARIABLES)
