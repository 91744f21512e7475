# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the inputs of a model. Sizes come from the model or the user; values are drawn at random or come from the user.

    --input x=1,3,64,64        sizes; values are drawn
    --input x=photo.npy        an array
    --input 'length=[12]'      values
"""
import difflib
import json
import math
import os

import numpy

from deconv_capture.recorder import CaptureError

# Drawn integers are below this number, so that they are valid token ids in any vocabulary.
_INTEGERS_BELOW = 8


def parse(texts):
    """Returns {name: list of dims, or an array} of the --input arguments."""
    given = {}
    for text in texts:
        name, equals, value = text.rpartition("=")
        if not equals or not name:
            raise CaptureError(f"--input {text}: expected NAME=1,3,64,64, NAME=file.npy or NAME=[values]")
        if value.endswith(".npy"):
            try:
                given[name] = numpy.load(value, allow_pickle=False)
            except (OSError, ValueError) as error:
                raise CaptureError(f"--input {text}: {error}") from None
        elif value.startswith("["):
            try:
                given[name] = numpy.array(json.loads(value))
            except ValueError as error:
                raise CaptureError(f"--input {text}: {error}") from None
        else:
            try:
                given[name] = [int(dim) for dim in value.split(",")] if value else []
            except ValueError:
                raise CaptureError(f"--input {text}: expected sizes such as {name}=1,3,64,64") from None
            if any(dim < 0 for dim in given[name]):
                raise CaptureError(f"--input {text}: a size is below 0")
    return given


def _shown(dims):
    """Returns sizes as a text: [1,?,64], or [...] if the rank is open. A named open size is shown by its name."""
    return "[" + ",".join("?" if dim is None else str(dim) for dim in dims) + "]" if dims is not None else "[...]"


def fill(wanted, given, seed=0):
    """Returns {name: array} for the model's inputs.

    `wanted` is {name: (dims, NumPy type)}; a dim is a number, or a text or None if the model leaves it open; dims is None
    if the rank is open, too. If only the first size is open, it becomes 1: it is mostly the batch.
    """
    for name in given:
        if name not in wanted:
            near = difflib.get_close_matches(name, wanted, 1)
            raise CaptureError(f"--input {name}: the model has no such input"
                               f"{f' (did you mean {near[0]}?)' if near else ''}; its inputs are "
                               f"{', '.join(f'{known} {_shown(dims)}' for known, (dims, _) in wanted.items())}")
    chosen, open_inputs = {}, []  # chosen: an array, or the sizes of one that is drawn
    for name, (dims, _) in wanted.items():
        value = given.get(name)
        if value is not None:
            _check_shape(name, value.shape if isinstance(value, numpy.ndarray) else value, dims)
            chosen[name] = value
        elif dims is None or any(not _known(dim) for dim in dims[1:]):
            open_inputs.append(name)
        else:
            chosen[name] = [dim if _known(dim) else 1 for dim in dims]
    if open_inputs:
        raise CaptureError("open inputs: " + "; ".join(
            f"{name} {_shown(wanted[name][0])}: give --input {name}={_example(wanted[name][0])}" for name in open_inputs))
    _check_memory({name: (value, wanted[name][1]) for name, value in chosen.items()})
    random = numpy.random.default_rng(seed)
    return {name: value.astype(wanted[name][1], copy=False) if isinstance(value, numpy.ndarray)
            else draw(random, value, wanted[name][1]) for name, value in chosen.items()}


def _known(dim):
    """Whether the model fixes a size. An open one is None, a name or a negative number, as models store it."""
    return isinstance(dim, (int, numpy.integer)) and dim >= 0


def _example(dims):
    """Returns an argument of --input for these dims: 1,3,SIZE. An open first size is shown as 1, others as SIZE."""
    if dims is None:
        return "DIMS"
    return ",".join(str(dim) if _known(dim) else "1" if at == 0 else "SIZE" for at, dim in enumerate(dims))


def _check_shape(name, sizes, dims):
    """Refuses the sizes of a given input that do not fit the model's dims."""
    if dims is None:
        return
    fits = len(sizes) == len(dims) and all(not _known(dim) or dim == size for size, dim in zip(sizes, dims))
    if not fits:
        raise CaptureError(f"--input {name}: found the shape {_shown(list(sizes))}, the model has {_shown(dims)}")


def _bytes_of(value, dtype):
    """Returns the bytes that an input of type `dtype` needs: those of its array, and of the array before conversion.

    `value` is the given array, or the sizes of one that is drawn.
    """
    dtype = numpy.dtype(dtype)
    if isinstance(value, numpy.ndarray):
        return value.nbytes + (value.size * dtype.itemsize if value.dtype != dtype else 0)
    drawn_as = 0 if dtype == numpy.bool_ else 8 if dtype.kind in "iu" else 4  # see draw: int64 or float32
    return math.prod(int(size) for size in value) * (dtype.itemsize + drawn_as)


def _check_memory(chosen):
    """Refuses inputs that this machine cannot hold together, before their values are drawn.

    `chosen` is {name: (array or sizes, NumPy type)}.
    """
    needed = {name: _bytes_of(*value_and_dtype) for name, value_and_dtype in chosen.items()}
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if sum(needed.values()) > memory:
        name = max(needed, key=needed.get)
        value = chosen[name][0]
        sizes = value.shape if isinstance(value, numpy.ndarray) else value
        others = f", the largest of {len(needed)} inputs" if len(needed) > 1 else ""
        raise CaptureError(f"input {name} {_shown(list(sizes))}{others}: {sum(needed.values()) / 1e9:.3g} GB "
                           f"needed, this machine has {memory / 1e9:.3g} GB; give smaller sizes with --input")


def draw(random, sizes, dtype):
    """Returns an array of normal numbers or small integers. Booleans are all True, because most of them are masks."""
    dtype = numpy.dtype(dtype)
    if dtype == numpy.bool_:
        return numpy.ones(sizes, dtype)
    if dtype.kind in "iu":
        return random.integers(0, _INTEGERS_BELOW, sizes).astype(dtype)
    # "f": a float of NumPy. "V": a type that NumPy lacks, such as bfloat16 of ml_dtypes.
    if dtype.kind in "fV" or dtype.name == "bfloat16":
        return random.standard_normal(sizes, numpy.float32).astype(dtype)
    raise CaptureError(f"inputs of type {dtype} cannot be drawn: give the array, as --input NAME=file.npy")
