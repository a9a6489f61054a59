"""What the tests of events share: batches as a runner sends them, and what Python says of an event."""

from dataclasses import dataclass

import numpy as np

from dplint.runner.batch import Batch, Group
from dplint.runner.decode import decode_batches
from dplint.runner.encode import Columns, Mode
from dplint.runner.flatten import Raised


@dataclass
class Answer:
    total: float
    label: str


def batch_of(outputs):
    """The batch that a runner would send for these outputs."""
    columns = Columns(Mode())
    for output in outputs:
        columns.take(Raised(output) if isinstance(output, Exception) else output)
    header, buffers = columns.finish()
    body = b"".join(np.ascontiguousarray(b).tobytes() for b in buffers)
    (batch,) = decode_batches({"batches": [header]}, body)
    return batch


def leaf_by_leaf(batch):
    """The same batch with each leaf in one piece of memory, as lanes deliver it."""
    groups = [Group(g.skeleton, g.rows, np.asfortranarray(g.kinds), np.asfortranarray(g.values)) for g in batch.groups]
    return Batch(batch.runs, tuple(groups), batch.strings)


def holds(event, outputs):
    """What Python says of the printed event, 0 or 1 for each output."""
    code = compile(event.expression(), "event", "eval")
    return [int(bool(eval(code, {"Answer": Answer}, {"output": output}))) for output in outputs]
