# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The answers of an adapter that are not an output: exceptions that an adapter raises, and the messages that are sent
to the suite for them."""
import os
import sysconfig
import traceback

MOST_MESSAGE_BYTES = 500  # the protocol allows 511
MOST_NAME_BYTES = 63  # of the name of an implementation; the protocol's limit
_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_STANDARD_LIBRARY = os.path.abspath(sysconfig.get_paths()["stdlib"])


class Refused(Exception):
    """The operator is invalid."""


class Unsupported(Exception):
    """The operator may be valid, but the library cannot compute it."""


def one_line(text, most=MOST_MESSAGE_BYTES):
    """Returns text as the protocol wants a message: one line, not too long."""
    line = " ".join(str(text).split()).encode(errors="replace")
    return line[:most].decode(errors="ignore") or "no message"


def named(returned):
    """Splits the value that an adapter's function returned. Returns the output, and a dict that names the code that
    computed the output, if the adapter told it."""
    if isinstance(returned, tuple) and len(returned) == 2 and isinstance(returned[1], str) and returned[1].strip():
        return returned[0], {"implementation": one_line(returned[1], MOST_NAME_BYTES)}
    return returned, {}


def message_of(error):
    """Returns the message of a library's exception, with the exception's type if the message alone says little."""
    text = one_line(error) if str(error).strip() else ""
    return one_line(text if len(text.split()) > 2 else f"{type(error).__name__}: {text}")


def place_of(error):
    """Returns the innermost line of the author's own code in the traceback of an exception, as "mine.py:14". Code of
    this package and of installed libraries does not count. Returns an empty text if there is no such line."""
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        path = os.path.abspath(frame.filename)
        installed = any(part in ("site-packages", "dist-packages") for part in path.split(os.sep))
        standard = path.startswith(_STANDARD_LIBRARY + os.sep)
        if os.path.isfile(path) and not (installed or standard or path.startswith(_PACKAGE + os.sep)):
            place = f"{os.path.basename(path)}:{frame.lineno}"
    return place


def failure_of(error):
    """Returns the message of an exception that the adapter does not catch, with its place, and prints the traceback to
    standard error."""
    traceback.print_exception(type(error), error, error.__traceback__)
    message, place = message_of(error), place_of(error)
    # 3 bytes are for the space and the brackets around the place.
    kept = message.encode()[:MOST_MESSAGE_BYTES - len(place.encode()) - 3].decode(errors="ignore")
    return f"{kept} ({place})" if place else message
