"""Value classes at a tenth of the start cost of the standard library's dataclasses.

``dataclass`` takes the same arguments and produces the same kind of class: slotted, compared by
value, and immutable if frozen. The difference is when the work happens. The standard decorator
compiles six functions per class at import time and imports ``inspect``. A command that answers in
a tenth of a second cannot afford that for seventy classes, most of which it never instantiates.
Here a class sets the fields of its first instances one by one, compiles its constructor after a
number of them, and shares all other methods.

Type checkers see the standard library's ``dataclass``, so they check these classes fully.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import Field, dataclass, field, replace
    from typing import Any

__all__ = ["dataclass", "field", "replace"]

_MISSING: Any = object()
_FIELDS = "__value_fields__"
_DEFAULTS = "__value_defaults__"
_HELD = "__value_getter__"
_FEW = 40  # compiling a constructor takes as long as filling in many more instances


class _Default:
    """A default that is created anew for every instance."""

    __slots__ = ("factory",)

    def __init__(self, factory: Callable[[], object]) -> None:
        self.factory = factory


class _StandardFields:
    """Presents a class to the standard library as a dataclass, on demand."""

    def __get__(self, instance: object, owner: type) -> dict[str, Field[Any]]:
        import dataclasses

        defaults = getattr(owner, _DEFAULTS)
        types = owner.__annotations__
        shapes = [(name, types[name], _standard(defaults, name)) for name in types]
        twin = dataclasses.make_dataclass(owner.__name__, shapes, kw_only=True)
        standard: dict[str, Field[Any]] = vars(twin)["__dataclass_fields__"]
        return standard


def _standard(defaults: dict[str, object], name: str) -> object:
    import dataclasses

    if name not in defaults:
        return dataclasses.field()
    default = defaults[name]
    if isinstance(default, _Default):
        return dataclasses.field(default_factory=default.factory)
    return dataclasses.field(default=default)


def _dataclass(
    *, frozen: bool = False, slots: bool = True, kw_only: bool = False
) -> Callable[[type], type]:
    """Make value classes; they always have slots."""

    def made(plain: type) -> type:
        names = tuple(plain.__annotations__)
        defaults = {name: plain.__dict__[name] for name in names if name in plain.__dict__}
        parts = {
            name: part
            for name, part in plain.__dict__.items()
            if name not in defaults and name not in {"__dict__", "__weakref__"}
        }
        parts |= {
            "__slots__": names,
            "__match_args__": () if kw_only else names,
            "__qualname__": plain.__qualname__,
            _FIELDS: names,
            _HELD: _getter(names),
            _DEFAULTS: defaults,
            "__dataclass_fields__": _StandardFields(),
            "__eq__": _equals,
            "__getstate__": _state,
            "__setstate__": _set_state,
        }
        parts.setdefault("__repr__", _shown)
        if frozen:
            parts |= {"__hash__": _hashed, "__setattr__": _refuse, "__delattr__": _refuse}
        else:
            parts["__hash__"] = None
        owner = type(plain)(plain.__name__, plain.__bases__, parts)
        type.__setattr__(
            owner, "__init__", _constructor_when_needed(owner, names, defaults, kw_only=kw_only)
        )
        return owner

    return made


def _field(*, default_factory: Callable[[], object]) -> _Default:
    """Return a default that is created anew for every instance."""
    return _Default(default_factory)


def _replace(value: object, /, **changes: object) -> object:
    """Return a copy of a value with these fields changed."""
    fields = dict(zip(getattr(value, _FIELDS), _held(value), strict=True))
    fields.update(changes)
    return type(value)(**fields)


def _constructor_when_needed(
    owner: type, names: tuple[str, ...], defaults: dict[str, object], *, kw_only: bool
) -> Callable[..., None]:
    made, is_checked = 0, hasattr(owner, "__post_init__")

    def __init__(self: Any, *given: object, **named: object) -> None:  # noqa: ANN401, N807 - it becomes the class's own method
        nonlocal made
        made += 1
        if made <= _FEW and not given and _filled(self, names, defaults, named):
            if is_checked:
                self.__post_init__()
            return
        # Another thread may have put the compiled one in place by now; a second one is the same.
        constructor = _constructor(owner, names, defaults, kw_only=kw_only)
        type.__setattr__(owner, "__init__", constructor)
        constructor(self, *given, **named)

    return __init__


def _filled(
    value: object, names: tuple[str, ...], defaults: dict[str, object], named: dict[str, object]
) -> bool:
    """Set the fields one by one; return whether the arguments fit the fields."""
    left = len(named)
    for name in names:
        if name in named:
            held, left = named[name], left - 1
        elif name in defaults:
            default = defaults[name]
            held = default.factory() if isinstance(default, _Default) else default
        else:
            return False
        object.__setattr__(value, name, held)
    return not left


def _constructor(
    owner: type, names: tuple[str, ...], defaults: dict[str, object], *, kw_only: bool
) -> Callable[..., None]:
    """Compile a class's constructor: a plain function, as fast as a handwritten one."""
    known = {f"__default_{name}__": value for name, value in defaults.items()}
    known |= {f"__put_{name}__": vars(owner)[name].__set__ for name in names}
    known["__missing__"] = _MISSING
    words, lines = ["self", *(["*"] if kw_only and names else [])], []
    for name in names:
        default, value = f"__default_{name}__", name
        if isinstance(defaults.get(name), _Default):
            value = f"{default}.factory() if {name} is __missing__ else {name}"
            default = "__missing__"
        words.append(f"{name}={default}" if name in defaults else name)
        lines.append(f" __put_{name}__(self, {value})")
    if hasattr(owner, "__post_init__"):
        lines.append(" self.__post_init__()")
    source = f"def __init__({', '.join(words)}):\n" + "\n".join(lines or [" pass"])
    made: dict[str, Any] = {}
    exec(source, known, made)  # noqa: S102 - the names are those of our own classes' fields
    constructor: Callable[..., None] = made["__init__"]
    return constructor


def _getter(names: tuple[str, ...]) -> Callable[[object], tuple[object, ...]]:
    """Return a function that reads all fields at once, always as a tuple.

    ``attrgetter`` returns no tuple for fewer than two names.
    """
    if len(names) > 1:
        return attrgetter(*names)
    return staticmethod(lambda value: tuple([getattr(value, name) for name in names]))


def _held(value: object) -> tuple[object, ...]:
    held: tuple[object, ...] = getattr(type(value), _HELD)(value)
    return held


def _equals(self: object, other: object) -> bool:
    return _held(self) == _held(other) if other.__class__ is self.__class__ else NotImplemented


def _hashed(self: object) -> int:
    return hash(_held(self))


def _shown(self: object) -> str:
    pairs = zip(getattr(self, _FIELDS), _held(self), strict=True)
    return f"{type(self).__qualname__}({', '.join(f'{name}={held!r}' for name, held in pairs)})"


def _refuse(self: object, name: str, *_: object) -> None:
    from dataclasses import FrozenInstanceError

    message = f"cannot change field {name!r} of {type(self).__name__}"
    raise FrozenInstanceError(message)


def _state(self: object) -> tuple[object, ...]:
    return _held(self)


def _set_state(self: object, state: tuple[object, ...]) -> None:
    for name, held in zip(getattr(self, _FIELDS), state, strict=True):
        object.__setattr__(self, name, held)


if not TYPE_CHECKING:
    dataclass, field, replace = _dataclass, _field, _replace
