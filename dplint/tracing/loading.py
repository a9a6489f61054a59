"""The modules of a project once more, rewritten: beside those that were imported, and without taking their place."""

from __future__ import annotations

import builtins
import sys
import types
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from . import calls
from .kept_state import KeptState  # noqa: F401 - before generators are replaced, whose classes it tells apart
from .lanes import tracer
from .rewriting import RUNTIME, rewritten


class RewrittenModules:
    """Loads modules that were imported before once more, rewritten.

    is_own: whether a module is one of the project's; all others are used as they are.
    """

    def __init__(self, is_own: Callable[[Any], bool]) -> None:
        self._is_own = is_own
        self.modules: Dict[str, Any] = {}

    def load(self, module: Any) -> Any:
        """The rewritten module in place of an imported one. Raises what its import raises, and SyntaxError."""
        name = module.__name__
        known = self.modules.get(name)
        if known is not None:
            return known
        text = _source(module)
        if text is None:
            return module
        made = types.ModuleType(name, module.__doc__)
        for kept in ("__file__", "__path__", "__package__", "__spec__", "__loader__", "__cached__"):
            if hasattr(module, kept):
                setattr(made, kept, getattr(module, kept))
        scope = vars(made)
        scope[RUNTIME] = calls
        scope["__builtins__"] = {**vars(builtins), "__import__": self._import}
        self.modules[name] = made
        tracer.modules.append(made)
        calls.REWRITTEN.add(name)
        parent, _, last = name.rpartition(".")
        if parent in self.modules:
            setattr(self.modules[parent], last, made)
        try:
            exec(compile(rewritten(text, name), made.__file__ or name, "exec", dont_inherit=True), scope)
        except BaseException:
            del self.modules[name]
            raise
        return made

    def loaded(self) -> List[Any]:
        """All rewritten modules."""
        return list(self.modules.values())

    def _import(
        self,
        name: str,
        scope: Optional[Mapping[str, Any]] = None,
        variables: Optional[Mapping[str, Any]] = None,
        wanted: Optional[Sequence[str]] = (),
        level: int = 0,
    ) -> Any:
        """`__import__` of rewritten modules: modules of the project come rewritten."""
        module = builtins.__import__(name, scope, variables, wanted or (), level)
        if not wanted:
            self._load_path(name)
            return self.modules.get(module.__name__, module)
        if not self._is_own(module):
            return module
        made = self.load(module)
        for one in wanted:
            inner = sys.modules.get(f"{module.__name__}.{one}")
            if inner is not None and self._is_own(inner):
                setattr(made, one, self.load(inner))
        return made

    def _load_path(self, name: str) -> None:
        """All modules of a dotted name, each as an attribute of the one before."""
        path = ""
        for part in name.split("."):
            path = f"{path}.{part}" if path else part
            module = sys.modules.get(path)
            if module is None or not self._is_own(module):
                return
            self.load(module)


def _source(module: Any) -> Optional[str]:
    loader = getattr(module, "__loader__", None)
    try:
        text: Optional[str] = loader.get_source(module.__name__)  # type: ignore[union-attr]
    except Exception:
        return None
    return text
