# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the transposed convolutions of a LiteRT model (.tflite), and changes it so that more tensors are outputs.

The file itself is read, because the interpreter does not tell attributes. It is a FlatBuffer: a table has a list of
offsets to its fields, and a vector lies where an offset points. Numbers of fields are those of TensorFlow's schema.fbs:

    model: 1 operator_codes, 2 subgraphs     operator code: 0 deprecated_builtin_code, 1 custom_code, 3 builtin_code
    subgraph: 2 outputs, 3 operators         operator: 0 opcode_index, 1 inputs, 2 outputs, 4 builtin_options
    TransposeConvOptions: 0 padding, 1 stride_w, 2 stride_h, 3 activation
    Conv3DOptions: 0 padding, 1 stride_d, 2 stride_w, 3 stride_h, 4 activation, 5 to 7 dilations of d, w, h
"""
import dataclasses
import struct

from deconv_capture.recorder import CaptureError

_TRANSPOSE_CONV, _CONV_3D_TRANSPOSE = 67, 141  # of the enumeration BuiltinOperator
# Custom operators for transposed convolutions with a bias. MediaPipe's has no input output_shape.
_CUSTOM = ("Convolution2DTransposeBias", "TFL_Convolution2DTransposeBias")


@dataclasses.dataclass
class TransposeConv:
    """One operator of the first subgraph. `strides` and `dilations` are those of the spatial axes."""
    at: int  # its index among the operators
    inputs: list  # indices of tensors: output_shape, filter, data, perhaps bias
    outputs: list  # the index of one tensor
    padding: str  # VALID or SAME
    strides: list
    dilations: list
    activation: int  # which follows the convolution, of the enumeration ActivationFunctionType; 0 is none
    weights_computed: bool  # the filter is the output of another operator


class Model:
    """The bytes of a model, from which the activations and biases of transposed convolutions are removed.

    `operators` has its transposed convolutions, and `customs` (index, name) of the custom ones. `inner` counts those in
    other subgraphs.
    """

    def __init__(self, content):
        self.content = bytearray(content)
        try:
            self._read()
        except (struct.error, IndexError) as error:
            raise CaptureError(f"is not a LiteRT model, or is cut short: {error}") from None

    def _read(self):
        """Finds the operators. Offsets are relative to the place where they are; the first is that of the model's
        table."""
        model = self._number("<I", 0)
        self.subgraph = self._tables(model, 2)[0]
        codes = self._tables(model, 1)
        self.operators, self.customs = [], []
        produced = set()  # tensors that are outputs of the operators so far
        subgraphs = self._tables(model, 2)
        self.inner = sum(self._builtin(codes, operator) in (_TRANSPOSE_CONV, _CONV_3D_TRANSPOSE)
                         for subgraph in subgraphs[1:] for operator in self._tables(subgraph, 3))
        for at, operator in enumerate(self._tables(self.subgraph, 3)):
            code = codes[self._scalar(operator, 0, "<I", 0)]
            kind = self._builtin(codes, operator)
            inputs, outputs = self._integers(operator, 1), self._integers(operator, 2)
            custom = self._field(code, 1)
            if custom:
                name = self._text(custom)
                if name in _CUSTOM:
                    self.customs.append((at, name))
            elif kind in (_TRANSPOSE_CONV, _CONV_3D_TRANSPOSE):
                self.operators.append(self._transpose_conv(at, operator, kind, inputs, outputs, produced))
            produced.update(outputs)

    def _builtin(self, codes, operator):
        """Returns the kind of an operator. Old files have the first field only; it is at most 127 in new files."""
        code = codes[self._scalar(operator, 0, "<I", 0)]
        return max(self._scalar(code, 0, "<b", 0), self._scalar(code, 3, "<i", 0))

    def _transpose_conv(self, at, operator, kind, inputs, outputs, produced):
        """Reads a transposed convolution, and removes its activation and its bias from the content."""
        options = self._target(operator, 4)
        flat = kind == _TRANSPOSE_CONV
        # The model runs without activation and bias, so that the recorded output is the convolution's.
        padding = "VALID" if self._scalar(options, 0, "<b", 0) == 1 else "SAME"
        fields = (2, 1) if flat else (1, 3, 2)  # height before width
        strides = [self._scalar(options, field, "<i", 0) for field in fields]
        dilations = [1, 1] if flat else [self._scalar(options, field, "<i", 1) for field in (5, 7, 6)]
        activation_field = self._field(options, 3 if flat else 4)
        activation = self.content[activation_field] if activation_field else 0
        if activation_field:
            self.content[activation_field] = 0
        if len(inputs) > 3:
            struct.pack_into("<I", self.content, self._target(operator, 1), 3)  # cuts the list of inputs
        return TransposeConv(at, inputs, outputs, padding, strides, dilations, activation, inputs[1] in produced)

    def with_outputs(self, tensors):
        """Returns the model with these outputs instead of its own: a new list at the end of the file, to which the
        field then points."""
        content = bytearray(self.content)
        content += b"\0" * (-len(content) % 4)
        field = self._field(self.subgraph, 2)
        struct.pack_into("<I", content, field, len(content) - field)
        content += struct.pack(f"<{len(tensors) + 1}i", len(tensors), *tensors)
        return bytes(content)

    def _number(self, form, at):
        """Returns the number at an offset in the file. `form` is its format in the module struct."""
        return struct.unpack_from(form, self.content, at)[0]

    def _field(self, table, number):
        """Returns the offset of a table's field in the file; 0 if the field is absent."""
        if not table:
            return 0
        offsets = table - self._number("<i", table)
        # The list begins with two sizes of 2 bytes, the first of which is its own.
        if 4 + 2 * number + 2 > self._number("<H", offsets):
            return 0
        offset = self._number("<H", offsets + 4 + 2 * number)
        return table + offset if offset else 0

    def _target(self, table, number):
        """Returns the offset in the file of the table or vector to which a field points; 0 if the field is absent."""
        field = self._field(table, number)
        return field + self._number("<I", field) if field else 0

    def _scalar(self, table, number, form, otherwise):
        """Returns a field that is a number, or `otherwise` if it is absent."""
        field = self._field(table, number)
        return self._number(form, field) if field else otherwise

    def _tables(self, table, number):
        """Returns the offsets of the tables in a field that is a list of tables."""
        vector = self._target(table, number)
        count = self._number("<I", vector) if vector else 0
        places = range(vector + 4, vector + 4 + 4 * count, 4)
        return [place + self._number("<I", place) for place in places]

    def _integers(self, table, number):
        """Returns a field that is a list of integers."""
        vector = self._target(table, number)
        count = self._number("<I", vector) if vector else 0
        return list(struct.unpack_from(f"<{count}i", self.content, vector + 4)) if vector else []

    def _text(self, field):
        """Returns the text to which the field at this offset points."""
        start = field + self._number("<I", field)
        return bytes(self.content[start + 4:start + 4 + self._number("<I", start)]).decode(errors="replace")
