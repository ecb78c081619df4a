"""From the syntax tree to the IR: names to slots, constants to numbers, sugar to the kernel.

`link` never raises: it returns what it found wrong, all of it, in the order of the text.
"""

from serq.link.linker import LinkResult, link
from serq.link.overrides import NO_OVERRIDES, Overrides

__all__ = ["NO_OVERRIDES", "LinkResult", "Overrides", "link"]
