"""Engines of Opacus: loaders, what an engine makes private, and the steps that it pays for.

An engine draws batches by a coin for each record, with probability 1 over the number of batches of an epoch, clips what
each record gives and adds normal noise: `noise_multiplier` times the bound that it is clipped to (Opacus 1.6,
`PrivacyEngine.make_private`, `DPDataLoader`). So each step of its optimizer is a normal mechanism on a sample, for a
record that is added or removed. How many records there are is taken to be public, as Opacus does. A model is taken to
be its weights: for gradients, which lie in it too, nothing is paid.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dplint.amounts import Amount, number
from dplint.claims import Claim
from dplint.contracts.frames import Frame, leak
from dplint.contracts.relations import steps
from dplint.contracts.values import Data, Engine, Hidden, Loader, Public, Trained, Value, inside, shown

GRADIENTS = frozenset({"grad", "grad_sample", "grad_samples", "summed_grad", "__dict__"})
"""Attributes that may hold gradients without noise."""
BATCH = "a batch is given on here, and the engine pays for its own steps alone"
WITH_TARGET = "make_private_with_epsilon"
_MAKERS = frozenset({"opacus.PrivacyEngine", "opacus.privacy_engine.PrivacyEngine"})
_LOADERS = frozenset({"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"})
_OF_LOADER = ("dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "", "", "", "drop_last")
_BY_SHAPE = frozenset(f"torch.{name}" for name in ("empty", "ones", "rand", "randn", "zeros"))
_PUBLIC = {f"torchvision.datasets.{name}": 60_000 for name in ("MNIST", "FashionMNIST", "KMNIST")}
_PUBLIC |= {f"torchvision.datasets.{name}": 50_000 for name in ("CIFAR10", "CIFAR100")}
"""How many records the training sets of published data have."""
_OPACUS = Claim(epsilon=0.0, relation="add-remove")


def of_library(frame: Frame, node: ast.Call, full: str, values: Sequence[Value]) -> Value | None:
    """What a function of a library makes of loaders and engines, or a dataset of known length; None for all else."""
    given, last = _named(node, values, _OF_LOADER), full.rpartition(".")[2]
    held = given.get("data_loader", values[0] if values else None)
    if full in _MAKERS:
        return Trained(frame.run.fresh("engine"), role="maker")
    if full in _LOADERS:
        return _loader(frame, node, given)
    if isinstance(held, Loader) and full == "len":
        return Public(frame.run.fresh("len"), amount=None if held.batches is None else number(held.batches))
    if last == "tqdm" or (isinstance(held, Loader) and last in ("enumerate", "BatchMemoryManager")):
        return held
    if any(shown(value) is not None for value in values):
        return None
    if full.startswith("torch.optim.lr_scheduler."):
        return Public(frame.run.fresh(last))
    if full in ("getattr", "vars") and frame.run.engines:
        return Hidden(frame.why(node, "gradients without noise may be asked for here"))
    count = _length_made(full, values[: len(node.args)], given)
    return None if count is None else Public(frame.run.fresh(full), parts=tuple(values), count=count)


def _named(node: ast.Call, values: Sequence[Value], names: Sequence[str]) -> Mapping[str, Value]:
    """The values of arguments by their names. values: of those without a name, then of the others."""
    places = dict(zip(names, values[: len(node.args)], strict=False))
    return places | {one.arg or "": value for one, value in zip(node.keywords, values[len(node.args) :], strict=True)}


def _length_made(full: str, places: Sequence[Value], named: Mapping[str, Value]) -> Amount | None:
    """How long a dataset is that a library makes of arguments by place and by name; None if that is not known."""
    first, second = (*places, None, None)[:2]
    if full in _BY_SHAPE:
        rows = first.items[0] if isinstance(first, Public) and first.items else first
        return rows.amount if isinstance(rows, Public) else None
    if full in _PUBLIC:
        return number(_PUBLIC[full]) if _is_literal(named.get("train", second), "True") else None
    known = {"torch.utils.data.TensorDataset": first, "torch.utils.data.Subset": named.get("indices", second)}
    return _length(known.get(full))


def _length(value: Value | None) -> Amount | None:
    if not isinstance(value, Public) or value.box.changed:
        return None
    return number(len(value.items)) if value.items is not None else value.count


def _is_literal(value: Value | None, text: str) -> bool:
    """Whether an argument is that, or is left out."""
    return value is None or (isinstance(value, Public) and value.key == text)


def _loader(frame: Frame, node: ast.Call, given: Mapping[str, Value]) -> Value | None:
    """Batches of the data; without a claim, of any records."""
    records, sizes = given.get("dataset"), frame.run.claim.size or ()
    if records is None or (isinstance(records, Public) and shown(records) is None and not frame.run.claimless):
        return None
    whole = isinstance(records, Data) and not records.cut and len(sizes) == 1
    count, each, last = number(sizes[0]) if whole else _length(records), given.get("batch_size"), given.get("drop_last")
    size = number(1) if each is None else each.amount if isinstance(each, Public) else None
    batches, kept = None, _is_literal(last, "False")
    known = (kept or _is_literal(last, "True")) and not {"sampler", "batch_sampler"} & set(given)
    if known and count is not None and count.value and size is not None and size.value:
        batches = int(-(-count.value // size.value) if kept else count.value // size.value) or None
    return Loader(frame.why(node, "batches of the data, which nothing pays for"), records=records, batches=batches)


def of_trained(frame: Frame, node: ast.Call, owner: Trained, values: Sequence[Value]) -> Value | None:
    """What a method of an engine, or of what an engine has made, gives; None where it is like any other.

    values: of its arguments.
    """
    assert isinstance(node.func, ast.Attribute)
    match owner.role, node.func.attr:
        case "maker", "make_private" | "make_private_with_epsilon" as method:
            return _make_private(frame, node, method, _named(node, values, ()))
        case "maker", "get_epsilon" if values and isinstance(values[0], Public):
            frame.run.delta = frame.run.delta or values[0].amount
        case "optimizer", "step":
            _step(frame, node, owner.engine)
        case "optimizer", name if name not in ("zero_grad", "state_dict"):
            _doubt(frame, node, owner.engine, f"what `{name}` makes of the steps of the optimizer is not known")
        case "model", "forward":
            return of_model(frame, node, owner.engine, values)
    if owner.role == "model" or any(shown(value) is not None for value in values):
        return None
    return Public(frame.run.fresh(ast.unparse(node)))


def of_model(frame: Frame, node: ast.Call, label: str, values: Sequence[Value]) -> Value:
    """What a model makes of its arguments. Its weights do not change; what is made of the data shows it.

    Gradients of what is made of other data than the batch at hand would go into a step that does not pay for them.
    """
    found = (leak(value, frame, node, "what the model makes of the data") for value in values)
    reasons = [reason for reason in found if reason is not None]
    if not frame.run.claimless and any(all(reason is not one.why for one in frame.batch) for reason in reasons):
        _doubt(frame, node, label, "the model is given data that is not of the batch of the next step")
    return Hidden(reasons[0]) if reasons else Public(frame.run.fresh(ast.unparse(node)), parts=tuple(values))


def _make_private(frame: Frame, node: ast.Call, method: str, given: Mapping[str, Value]) -> Value | None:
    run, loader = frame.run, given.get("data_loader")
    if isinstance(loader, Public) and shown(loader) is None and not run.claimless:
        return None  # of public data nothing is spent
    why, label = frame.why(node, BATCH), run.fresh(method)
    loader = loader if isinstance(loader, Loader) else Loader(why)
    made = Trained(run.fresh("optimizer"), role="optimizer", engine=label)
    amounts = {name: value.number for name, value in given.items() if isinstance(value, Public)}
    run.engines[label] = Engine(
        method,
        frame.view.file,
        frame.view.span(node),
        loader,
        amounts.get("noise_multiplier"),
        tuple(amounts[one] for one in ("target_epsilon", "target_delta", "epochs") if one in amounts),
        _is_literal(given.get("poisson_sampling"), "True"),
        (made, given.get("optimizer")),
    )
    run.met = True
    for reason in _doubts(frame, given, loader):
        _doubt(frame, node, label, reason)
    model = Trained(run.fresh("model"), parts=tuple(v for k, v in given.items() if k == "module"), role="model")
    model.engine = label
    mode = given.get("grad_sample_mode")
    criterion = [Public(run.fresh("criterion"))] if isinstance(mode, Public) and "ghost" in mode.key else []
    return Public(run.fresh(method), items=(model, made, *criterion, replace(loader, why=why, engine=label)))


def _doubts(frame: Frame, given: Mapping[str, Value], loader: Loader) -> Iterator[str]:
    """Why an engine may not keep what it promises to."""
    if frame.control or any(shown(value) is not None for name, value in given.items() if name != "data_loader"):
        yield "what the engine gets besides its loader, or whether there is one, depends on the data"
    if "noise_generator" in given:
        yield "the noise is that of a generator which is given: whether it repeats itself is not looked at"
    data = loader.records
    if not frame.run.claimless and (not isinstance(data, Data) or data.box.data is not None):
        yield "how far the data of the loader moves is not understood"
    elif isinstance(data, Data) and steps(frame.run.claim, _OPACUS, data) != 1:
        yield f"the engine counts records that are added or removed, not {frame.run.claim.neighbors!r}"


def _doubt(frame: Frame, node: ast.AST, label: str, reason: str) -> None:
    frame.run.engines[label].doubts[frame.why(node, reason)] = None


def _step(frame: Frame, node: ast.Call, label: str) -> None:
    """Count a step. What it spends is worked out when all are known."""
    engine = frame.run.engines[label]
    at_hand = [loader for loader in frame.batch if loader.engine == label]
    if not at_hand or frame.control is not None or node.args or node.keywords:
        _doubt(frame, node, label, "whether there is one plain step for each batch of the engine's loader is not known")
    frame.batch.clear()
    engine.turns = None if engine.turns is None or frame.times is None else engine.turns + frame.times


def given_away(frame: Frame, node: ast.Call, values: Sequence[Value]) -> None:
    """Note that a call which is not followed gets an optimizer, so that it may make steps, with noise or without."""
    labels = {id(one): label for label, engine in frame.run.engines.items() for one in engine.optimizers}
    for part in (part for value in values for part in inside(value)):
        label = labels.get(id(part))
        if label is not None:
            _doubt(frame, node, label, f"`{ast.unparse(node.func)}` may make steps of its own")


def turns_over(frame: Frame, loader: Loader) -> Amount | None:
    """How much a loop over these batches counts for their engine: all of them, or once where a record is in one only.

    An engine with a target counts epochs.
    """
    engine = frame.run.engines.get(loader.engine)
    if engine is not None and (engine.method == WITH_TARGET or not engine.poisson):
        return number(1)
    return None if loader.batches is None else number(loader.batches)
