"""The state machines of FIFO and of out-of-order windows, by their public names."""

from swagproof.oracle.testing.fifo_machine import FifoMachine, fifo_machine
from swagproof.oracle.testing.machine import is_right, show
from swagproof.oracle.testing.out_of_order_machine import OutOfOrderMachine, out_of_order_machine

__all__ = ["FifoMachine", "OutOfOrderMachine", "fifo_machine", "is_right", "out_of_order_machine", "show"]
