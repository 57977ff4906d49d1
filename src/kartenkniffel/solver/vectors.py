"""Eight numbers at once: a small vector type for compiled loops.

The solver works on eight upper sums side by side. LLVM vectorises a loop over them only after
asking at run time whether its many pointers overlap, which takes longer than the eight sums
themselves. So the loops say it outright: an `Eight` is one register of eight doubles (two or four
on processors with narrower ones). Numbers are read and written at plain addresses; whoever calls
keeps the arrays behind them alive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.extending import intrinsic, models, register_model

LANES = 8
"""How many numbers stand side by side."""


class _EightType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Eight")


_EIGHT = _EightType()
_DOUBLES = ir.VectorType(ir.DoubleType(), LANES)
_FLOATS = ir.VectorType(ir.FloatType(), LANES)
_MASK = ir.VectorType(ir.IntType(1), LANES)


@register_model(_EightType)
class _EightModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _DOUBLES)


def _pointer(builder: Any, address: Any, kind: Any) -> Any:
    return builder.inttoptr(address, kind.as_pointer())


def _splat(builder: Any, number: Any) -> Any:
    zero = ir.Constant(ir.IntType(32), 0)
    single = builder.insert_element(ir.Constant(_DOUBLES, ir.Undefined), number, zero)
    mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(single, ir.Constant(_DOUBLES, ir.Undefined), mask)


def _greater(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", one, other), one, other)


@intrinsic
def load(typing: Any, address: Any) -> Any:
    """Read eight doubles from an address that is a multiple of 64."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.load(_pointer(builder, given[0], _DOUBLES), align=64)

    return _EIGHT(types.intp), code


@intrinsic
def store(typing: Any, address: Any, value: Any) -> Any:
    """Write eight doubles to an address that is a multiple of 64."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        builder.store(given[1], _pointer(builder, given[0], _DOUBLES), align=64)
        return context.get_dummy_value()

    return types.void(types.intp, _EIGHT), code


@intrinsic
def load_singles(typing: Any, address: Any) -> Any:
    """Read eight floats of four bytes each, from anywhere."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        floats = builder.load(_pointer(builder, given[0], _FLOATS), align=4)
        return builder.fpext(floats, _DOUBLES)

    return _EIGHT(types.intp), code


@intrinsic
def store_singles(typing: Any, address: Any, value: Any) -> Any:
    """Write eight floats of four bytes each, to anywhere."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        floats = builder.fptrunc(given[1], _FLOATS)
        builder.store(floats, _pointer(builder, given[0], _FLOATS), align=4)
        return context.get_dummy_value()

    return types.void(types.intp, _EIGHT), code


@intrinsic
def gather_singles(typing: Any, address: Any, places: Any) -> Any:
    """Read eight floats at ``address + places[i]``; the places are eight int64, in bytes."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        long = ir.IntType(64)
        eight = ir.Constant(_FLOATS, ir.Undefined)
        for lane in range(LANES):
            at = builder.add(given[1], ir.Constant(long, 8 * lane))
            place = builder.load(_pointer(builder, at, long), align=8)
            number = _pointer(builder, builder.add(given[0], place), ir.FloatType())
            eight = builder.insert_element(
                eight, builder.load(number, align=4), ir.Constant(ir.IntType(32), lane)
            )
        return builder.fpext(eight, _DOUBLES)

    return _EIGHT(types.intp, types.intp), code


@intrinsic
def splat(typing: Any, number: Any) -> Any:
    """Give eight times the same number."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _splat(builder, given[0])

    return _EIGHT(types.float64), code


def _binary(build: Callable[[Any, Any, Any], Any], text: str) -> Any:
    def operation(typing: Any, one: Any, other: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return build(builder, given[0], given[1])

        return _EIGHT(_EIGHT, _EIGHT), code

    operation.__doc__ = text
    return intrinsic(operation)


add = _binary(lambda builder, one, other: builder.fadd(one, other), "Add lane by lane.")
subtract = _binary(lambda builder, one, other: builder.fsub(one, other), "Subtract lane by lane.")
multiply = _binary(lambda builder, one, other: builder.fmul(one, other), "Multiply lane by lane.")
greater = _binary(_greater, "Give the greater of the two, lane by lane.")


@intrinsic
def greatest(typing: Any, value: Any) -> Any:
    """Give the greatest of the eight numbers."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        lanes = [
            builder.extract_element(given[0], ir.Constant(ir.IntType(32), lane))
            for lane in range(LANES)
        ]
        while len(lanes) > 1:
            lanes = [
                _greater(builder, one, other)
                for one, other in zip(lanes[::2], lanes[1::2], strict=True)
            ]
        return lanes[0]

    return types.float64(_EIGHT), code
