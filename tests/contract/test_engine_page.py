"""The engine of `examples/multi-turn/engine.sq` gives the contract's numbers, digit for digit.

Twenty thousand simulated seconds are nine million iterations: the whole run is for the native
engine, a fiftieth of it for every engine there is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import serq
from serq.engines import available

PROGRAM = Path(__file__).parents[2] / "examples" / "multi-turn" / "engine.sq"

WHOLE_RUN = """\
run: horizon 20000 end 20000 warmup 2000 seed 1 events 9212861 arrivals 9905 ended 8903 \
turns 43947 mean live 5.977

observe   count    mean   95% CI    cv2     p99
--------  -----  ------  -------  -----  ------
hit       43947  0.7927  ±0.0040  0.262  1.0000
ttft      43947  0.0181  ±0.0007  1.276  0.0798
response  43947  0.0633  ±0.0011  0.645  0.2429

stage   number   util   done    thru    wait  service    iters
------  ------  -----  -----  ------  ------  -------  -------
engine   0.153  0.138  87894  4.8830  0.0000   0.0313  9164050
tool     5.822  0.998  35044  1.9469  0.0000   2.9903        0

pool   used   cached  queue  holders    wait  admits  evict(n)  evict(u)  preempt  spill  rej  stuck
----  -----  -------  -----  -------  ------  ------  --------  --------  -------  -----  ---  -----
kv    729.8  28515.4  0.000    0.153     NaN   48810       218   1760208        0      0    0      0
reqs    0.2      0.0  0.002    0.153  0.0007   48810         0         0        0      0    0      0
"""

FIFTIETH = """\
run: horizon 400 end 400 warmup 40 seed 1 events 183429 arrivals 201 ended 185 \
turns 913 mean live 6.346

observe   count    mean   95% CI    cv2     p99
--------  -----  ------  -------  -----  ------
hit         913  0.8007  ±0.0235  0.249  1.0000
ttft        913  0.0175  ±0.0012  0.988  0.0785
response    913  0.0629  ±0.0029  0.562  0.2217

stage   number   util  done    thru    wait  service   iters
------  ------  -----  ----  ------  ------  -------  ------
engine   0.158  0.141  1826  5.0722  0.0000   0.0312  182436
tool     6.187  1.000   731  2.0306  0.0000   3.0614       0

pool   used   cached  queue  holders    wait  admits  evict(n)  evict(u)  preempt  spill  rej  stuck
----  -----  -------  -----  -------  ------  ------  --------  --------  -------  -----  ---  -----
kv    798.7  32670.0  0.000    0.158     NaN     992         0      1472        0      0    0      0
reqs    0.2      0.0  0.001    0.158  0.0005     992         0         0        0      0    0      0
"""


@pytest.mark.slow
@pytest.mark.skipif("native" not in available(), reason="minutes without the native engine")
def test_the_whole_run() -> None:
    report = serq.run(serq.compile(PROGRAM), engine="native")
    assert str(report) == WHOLE_RUN


@pytest.mark.parametrize("engine", available())
def test_a_fiftieth_of_it(engine: str) -> None:
    report = serq.run(serq.compile(PROGRAM, horizon=400, warmup=40), engine=engine)
    assert str(report) == FIFTIETH
