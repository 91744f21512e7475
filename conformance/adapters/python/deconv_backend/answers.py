# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The answers of an adapter that are not an output. An adapter raises them; the server sends their message."""

MOST_MESSAGE_BYTES = 500  # the protocol allows 511


class Refused(Exception):
    """The operator is invalid."""


class Unsupported(Exception):
    """The operator may be valid, but the library cannot compute it."""


def one_line(text):
    """Returns text as the protocol wants a message: one line, not too long."""
    line = " ".join(str(text).split()).encode(errors="replace")
    return line[:MOST_MESSAGE_BYTES].decode(errors="ignore") or "no message"


def message_of(error):
    """Returns the message of a library's exception, with the exception's type if the message alone says little."""
    text = one_line(error) if str(error).strip() else ""
    return one_line(text if len(text.split()) > 2 else f"{type(error).__name__}: {text}")
