"""A program with every kind of node of the IR, built by hand."""

from __future__ import annotations

from serq.ir import nodes as ir
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES

NOW = ir.Context("now")
ONE = ir.Number(1.0)
KV = ir.PoolReference(0, 2, ir.Attribute(9))
TIER = ir.PoolReference(2, 1)
ENGINE = ir.StageReference(1, 1)

POOLS = (
    ir.Pool(
        "kv",
        0,
        cap=float("inf"),
        block=16.0,
        evict=(ir.Context("size"), ir.Unary("-", ir.Context("age"))),
        preempt_lifo=True,
        queue=(ir.Context("waited"),),
        spill=ir.Spill(2, 0, ir.Context("size"), ir.Binary(">", ir.Context("age"), ONE)),
    ),
    ir.Pool("kv", 1, cap=-0.0),
    ir.Pool("tier", cap=1e-6, admit_via=1),
)

STAGES = (
    ir.Stage("link", ir.Ps(ir.Call("min", (ir.Context("present"), ir.Number(16.0))))),
    ir.Stage(
        "engine",
        ir.Step(ir.Number(2048.0), ir.Context("tokens"), ir.Number(0.0), ir.ServeBy((NOW,)), 2),
    ),
    ir.Stage("other", ir.Step(ONE, ONE, ONE, ir.ExclusivePrefill())),
    ir.Stage("desk", ir.Fifo(3), 0),
    ir.Stage("tool", ir.Delay()),
)

SESSION: ir.Block = (
    ir.Turn(),
    ir.Choose(9, ir.Number(2.0), (ir.Call("used", (KV,)), ir.Call("queue", (ENGINE,)))),
    ir.Hold((ir.HoldPool(KV, ONE, ONE), ir.HoldPool(TIER, ONE)), ONE, 3, None, ir.Lease(TIER, ONE)),
    ir.Branch(ir.Binary("==", ir.Attribute(9), ir.Number(0.0)), 4, 5),
    ir.Loop(5),
    ir.End(),
)

HOLD_BODY: ir.Block = (
    ir.Grow(KV, ONE),
    ir.Load(KV, ONE),
    ir.Run(ENGINE, "prefill", ONE, KV),
    ir.Run(ir.StageReference(0, 1), "plain", ONE, None, (ir.StageReference(3, 1),)),
    ir.Drop(KV),
    ir.Release(TIER),
    ir.Observe(0, ir.Conditional(ONE, ir.Draw("uniform", (ONE, ir.Number(2.0))), NOW)),
)

EXAMPLE = ir.Program(
    attributes=(*BUILTIN_ATTRIBUTES, "choice", "größe"),
    observes=("ttft",),
    pools=POOLS,
    stages=STAGES,
    arrival=ir.Sessions((ir.Preset(((9, 1.0),), (((3, 5.0), (4, 2.0)),)), ir.Preset())),
    trace="a\\b.csv",
    trace_ordered=True,
    init=0,
    turn=1,
    session=2,
    blocks=((ir.Set(10, ONE),), (), SESSION, HOLD_BODY, (), ()),
    horizon=1e16,
    warmup=0.5,
    seed=2**64 - 1,
    arrivals=7,
    hidden=(10,),
    share="maxmin",
    gauges=(ir.Gauge("spread", ir.Call("used", (ir.PoolReference(0, 2, ONE),))),),
)
