"""Queues to what they stand for: entries in the place of their calls, reads as runs over NICs
(contract §2, *Queues*). The rest of the linker, and the IR, know of no queue.
"""

from serq.link.queues.lowering import lower

__all__ = ["lower"]
