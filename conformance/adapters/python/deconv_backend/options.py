# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The options that a user gives to an adapter on the command line, as `--option KEY=VALUE`."""
import sys

_given = {}  # the options of the command line, by key
_read = {}  # the options that the adapter has asked for, with their defaults


class UsageError(Exception):
    """The command line is wrong."""


def parse(arguments):
    """Returns the options as a dict, and the list of the other arguments."""
    given, others = {}, []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--option" or argument.startswith("--option="):
            pair = argument.partition("=")[2] if "=" in argument else next(rest, "")
            key, equals, value = pair.partition("=")
            if not key or not equals:
                raise UsageError(f"--option {pair}: expected KEY=VALUE")
            given[key] = value
        else:
            others.append(argument)
    return given, others


def give(options):
    """Sets the options that option() returns."""
    _given.clear()
    _given.update(options)


def option(key, default, choices=None):
    """Returns the value of `--option key=value`, a string, or the default. Adapters call it before serve()."""
    if not _given and len(sys.argv) > 1:  # an adapter that was started by itself
        give(parse(sys.argv[1:])[0])
    _read[key] = default
    value = _given.get(key, default)
    if choices is not None and value not in choices:
        raise SystemExit(f"option {key}={value}: expected one of {', '.join(choices)}")
    return value


def given():
    """Returns the options that were given, as sorted pairs."""
    return sorted(_given.items())


def complaint():
    """Returns a message about an option that the user gave and the adapter has not read, or ""."""
    for key in _given:
        if key not in _read:
            known = ", ".join(f"{name} (default {default})" for name, default in _read.items()) or "none"
            return f"unknown option '{key}'; this adapter's options: {known}"
    return ""
