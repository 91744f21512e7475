# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The operator of a request of the suite, in two forms: with its attributes as the model has them (Operator), and with
the sizes and pads that the suite has computed from them (Geometry). An adapter gets one of the two."""
import dataclasses

from deconv_backend.answers import Unsupported

# Attributes that are lists of integers. An absent one is None.
LISTS = ("strides", "dilations", "pads_begin", "pads_end", "output_padding", "dst_shape", "kernel_shape",
         "output_shape_attribute")


def integers(values):
    """Reads a list of the protocol, in which an integer beyond 2^53 - 1 is a string."""
    return [int(value) for value in values]


@dataclasses.dataclass(frozen=True)
class Tensor:
    """Type and dimensions of an input. Only an output shape that is a tensor has `values`."""

    element_type: str
    dims: list
    values: list = None


@dataclasses.dataclass(frozen=True)
class Operator:
    """An operator with its attributes as the model has them: not resolved, not checked, possibly invalid."""

    kind: str
    dialect: str
    data: Tensor
    filter: Tensor
    output_shape: Tensor = None
    strides: list = None
    dilations: list = None
    pads_begin: list = None
    pads_end: list = None
    output_padding: list = None
    auto_pad: str = None
    data_format: str = None
    weights_format: str = None
    dst_shape: list = None
    groups: int = None
    kernel_shape: list = None
    output_shape_attribute: list = None
    threads: int = 0  # the number of threads to use, 0: any

    @classmethod
    def read(cls, request):
        """Reads the operator of a request, which is a dict of the process protocol."""
        op = request["operator"]

        def tensor(name):
            if name not in op:
                return None
            values = integers(op[name]["values"]) if "values" in op[name] else None
            return Tensor(op[name]["element_type"], integers(op[name]["dims"]), values)

        texts = ("kind", "dialect", "auto_pad", "data_format", "weights_format")
        return cls(
            data=tensor("data"), filter=tensor("filter"), output_shape=tensor("output_shape"),
            groups=int(op["groups"]) if "groups" in op else None, threads=request.get("threads", 0),
            **{name: op[name] for name in texts if name in op},
            **{name: integers(op[name]) for name in LISTS if name in op})

    def tensorflow_arguments(self):
        """Returns (padding, strides, dilations, output_shape) for a library with TensorFlow's arguments, by the dialect
        `tensorflow`: padding is VALID, SAME, or a list of the pads of each spatial axis. Raises Unsupported if the
        library has no argument for an attribute. Lists of a wrong length are passed on."""
        spatial_rank = len(self.data.dims) - 2
        if self.output_shape_attribute is None or len(self.filter.dims) < 2 or not 1 <= spatial_rank <= 3:
            raise Unsupported("TensorFlow has an output_shape, and data of rank 3 to 5")
        if self.output_padding not in (None, [0] * spatial_rank):
            raise Unsupported("TensorFlow has no output_padding")
        if self.groups not in (None, 1) or self.output_shape is not None:
            raise Unsupported("TensorFlow has no argument for groups, and no third input")
        words = {None: None, "NOTSET": None, "SAME_UPPER": "SAME", "VALID": "VALID"}
        given = self.pads_end if self.pads_begin is None else self.pads_begin
        zeros = [0] * (spatial_rank if given is None else len(given))
        begins, ends = (zeros if pads is None else pads for pads in (self.pads_begin, self.pads_end))
        if self.auto_pad not in words or len(begins) != len(ends):
            raise Unsupported("TensorFlow has the paddings SAME and VALID, and pairs of pads")
        word = words[self.auto_pad]
        if word and (self.pads_begin is not None or self.pads_end is not None):
            raise Unsupported("one argument of TensorFlow holds either a word or the pads")
        strides, dilations = ([1] * spatial_rank if values is None else values for values in (self.strides, self.dilations))
        if spatial_rank > 1 and 1 in (len(strides), len(dilations)):
            raise Unsupported("a list of one number means all axes in TensorFlow")
        return (word or [[begin, end] for begin, end in zip(begins, ends)], strides, dilations,
                [self.data.dims[0], *self.output_shape_attribute, self.filter.dims[1]])


@dataclasses.dataclass(frozen=True)
class Geometry:
    """A resolved operator: output[s*i + d*k - pads_begin] += data[i] * filter[k] along each spatial axis, with the
    stride s and the dilation d.

    Tuples have one value for each spatial axis: `data`, `kernel` and `output` are sizes. Channels are those of all
    groups together. pads_end is s*(data - 1) + d*(kernel - 1) + 1 + output_padding - pads_begin - output.
    """

    element_type: str
    channels_last: bool  # the layout of data and output, if the adapter takes native layouts
    filter_layout: str  # giox [G, C/G, O/G, spatial...], oix [C, O/G, spatial...] or xio [spatial..., O/G, C]
    batch: int
    groups: int
    in_channels: int
    out_channels: int
    data: tuple
    kernel: tuple
    strides: tuple
    dilations: tuple
    pads_begin: tuple
    pads_end: tuple
    output_padding: tuple
    output: tuple
    operator: Operator
    threads: int = 0  # the number of threads to use, 0: any

    @property
    def spatial_rank(self):
        return len(self.data)

    def output_padding_beside_equal_pads(self):
        """Returns the output_padding for a library that has one pad for both ends of an axis, and gets pads_begin as
        this pad. Example: pads 1 and 0 without output_padding are a pad of 1 and an output_padding of 1."""
        return tuple(more + begin - end for more, begin, end in zip(self.output_padding, self.pads_begin, self.pads_end))

    def padding_word(self):
        """Returns the argument `padding` of TensorFlow and of libraries with its rules: VALID, SAME, or None for other pads.

        VALID has no pads. SAME has half of the pads, rounded down, at the beginning. Under both, the forward convolution
        of the output has the size of the data: (output - extent + 1) / stride for VALID and output / stride for SAME,
        rounded up, where `extent` is the size of the dilated kernel. Example: data 5, kernel 3, stride 2, output 10 and
        pads_begin 0 are SAME. With output 11 they are VALID.
        """
        # -(-a // b) is a / b rounded up.
        axes = [(data, dilation * (kernel - 1) + 1, stride, begin, output) for data, kernel, stride, dilation, begin, output
                in zip(self.data, self.kernel, self.strides, self.dilations, self.pads_begin, self.output)]
        if all(begin == 0 and data == -(-(output - extent + 1) // stride) for data, extent, stride, begin, output in axes):
            return "VALID"
        if all(data == -(-output // stride) and begin == max((data - 1) * stride + extent - output, 0) // 2
               for data, extent, stride, begin, output in axes):
            return "SAME"
        return None

    @classmethod
    def read(cls, request):
        values = request["resolved"]
        lists = ("data", "kernel", "strides", "dilations", "pads_begin", "pads_end", "output_padding", "output")
        numbers = ("batch", "groups", "in_channels", "out_channels")
        return cls(
            element_type=values["element_type"], channels_last=bool(values["channels_last"]),
            filter_layout=values["filter_layout"], operator=Operator.read(request), threads=request.get("threads", 0),
            **{name: int(values[name]) for name in numbers},
            **{name: tuple(integers(values[name])) for name in lists})
