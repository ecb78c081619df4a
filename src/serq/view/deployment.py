"""The deployment as a figure: a queueing network with its pools.

Depends on the network, the rows of stops and the lanes of edges.
"""

from __future__ import annotations

from serq.ir.nodes import Program
from serq.view.canvas import crop
from serq.view.figure import Figure, Node
from serq.view.lanes import Wiring
from serq.view.network import network
from serq.view.rows import frame, rows
from serq.view.shelf import shelf


def deployment(program: Program, title: str = "deployment") -> Figure:
    """The figure of a program's deployment."""
    net = network(program)
    placed = rows(net)
    wiring = Wiring(placed)
    bottom = wiring.settle()
    nodes: list[Node] = []
    for row in placed.rows:
        pieces = sorted(row.pieces, key=lambda p: (p.first - p.last, -len(p.enclosure.members)))
        nodes += [frame(piece, row.level) for piece in pieces]
    for row in placed.rows:
        for at in range(row.first, row.last + 1):
            nodes.append(placed.glyphs[at].node.moved(placed.x[at], row.level))
    below = shelf(net, placed.rows, bottom)
    return crop(title, [*nodes, *below.nodes], [*wiring.edges(), *below.edges], below.notes)
