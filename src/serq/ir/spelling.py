"""How the IR's JSON spells the language's words (IR version 10).

The JSON keeps the spellings of files that exist already; everywhere else in serQ a thing has
the name the text gives it. Depends on nothing of ours.
"""

from __future__ import annotations

CONTEXT: dict[str, str] = {
    "now": "Now",
    "waited": "Waited",
    "size": "Size",
    "age": "Age",
    "last": "Last",
    "waiting": "Queued",
    "present": "N",
    "tokens": "Ntok",
    "decoders": "Ndec",
    "prefilled": "Npre",
    "residents": "Nres",
    "kv_decode": "Kvb",
    "kv_prefill": "Kvp",
    "attention": "Attn",
    "decoding": "Decoding",
    "admission": "Admission",
    "remaining": "Remaining",
}

FUNCTIONS: dict[str, str] = {
    "min": "Min",
    "max": "Max",
    "abs": "Abs",
    "floor": "Floor",
    "ceil": "Ceil",
    "sqrt": "Sqrt",
    "exp": "Exp",
    "ln": "Ln",
    "pow": "Pow",
    "queue": "Queue",
    "busy": "Busy",
    "work": "Work",
    "budget_left": "BudgetLeft",
    "est_lambda": "EstLambda",
    "est_rho": "EstRho",
    "est_wait": "EstWait",
    "price": "Price",
    "used": "Used",
    "free": "Free",
    "cachedin": "CachedIn",
    "holders": "Holders",
    "queued": "Queued",
}

DISTRIBUTIONS: dict[str, str] = {
    "exp": "Exp",
    "det": "Det",
    "uniform": "Uniform",
    "erlang": "Erlang",
    "h2": "H2",
    "bernoulli": "Bernoulli",
}

UNARY: dict[str, str] = {"-": "Neg", "!": "Not"}

BINARY: dict[str, str] = {
    "+": "Add",
    "-": "Sub",
    "*": "Mul",
    "/": "Div",
    "^": "Pow",
    "<": "Lt",
    "<=": "Le",
    ">": "Gt",
    ">=": "Ge",
    "==": "Eq",
    "!=": "Ne",
    "&&": "And",
    "||": "Or",
}

MODES: dict[str, str] = {"plain": "Plain", "prefill": "Prefill", "decode": "Decode"}

SHARES: dict[str, str] = {"maxmin": "MaxMin", "bottleneck": "Bottleneck"}
