# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The start server: loads an adapter's library once in a run of the suite, and forks itself for each process that the
suite starts. It saves time.

The suite starts a new process after each crash and for each worker, and some libraries take seconds to load. The first
process of a run forks the server, which runs the adapter up to serve(). Every process, the first one too, is then a
small client. It hands its three standard streams to the server, and waits for the process that the server forks for it.
It ends as the forked process ends, by the same exit status or signal.

    suite > client 1 (starts the server) - - streams - - > server > forked process 1, which serves
    suite > client 2                     - - streams - - > server > forked process 2, which serves

- The server's address is an abstract Unix socket: no file is left behind. Its name is a hash of the run, the adapter,
  its options and the environment. Server and clients talk only to processes of the same user.
- If the server fails (the adapter's import fails or crashes, the server is killed), a client runs the adapter itself.
  It then fails as it would have failed without a server.
- If a client is killed, its forked process is killed too. When the suite ends, the server ends at once.
- The server lives in its own process group: the suite kills groups when a backend hangs.
- A process that another program than the suite starts has no server, unless the environment variable
  DECONV_BACKEND_RUN has the id of the process with which the server is to end.
- The suite watches the memory of the processes that it starts, but not of forked processes. So each forked process gets
  a limit of its own.
"""
import json
import os
import socket
import struct
import sys

WORKER = b"--deconv-worker"  # how the suite starts its workers
LOADING_SECONDS = 120  # a server that has not loaded its library by then is killed; a guess
IDLE_SECONDS = 600  # a server that has had no process for so long ends; a guess
MEMORY_SHARE = 3  # a forked process may allocate 1/3 of the machine's memory

_server = None  # the Server in the server's process, until its loop ends; None in all other processes


def _ancestors():
    """Yields the ids of the parent, its parent, and so on."""
    process = os.getppid()
    while process > 1:
        yield process
        try:
            with open(f"/proc/{process}/stat", "rb") as file:
                # Behind the program's name in brackets are the process's state and its parent.
                process = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return


def _program(process):
    """Returns a key that is equal for processes of the same program file: the file's device and inode."""
    file = os.stat(f"/proc/{process}/exe")
    return file.st_dev, file.st_ino


def suite_process():
    """Returns the process of the suite's run that this process belongs to, or None if the suite did not start it."""
    if os.environ.get("DECONV_BACKEND_RUN", "").isdigit():
        return int(os.environ["DECONV_BACKEND_RUN"])
    # The nearest ancestor that was started as a worker runs the suite's program. Above it are more processes of this
    # program. The topmost one is the run.
    found, program = None, None
    for process in _ancestors():
        try:
            if program is None:
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    if file.read().split(b"\0")[1:2] == [WORKER]:
                        found, program = process, _program(process)
            elif _program(process) == program:
                found = process
            else:
                break
        except OSError:  # it has ended, or belongs to someone else
            break
    return found


def _address(suite, adapter, options):
    """Returns the name of the server's socket: a hash of all facts in which two processes must agree to share a
    server."""
    with open(f"/proc/{suite}/stat", "rb") as file:
        # Ids are reused, so the start time counts too. It is field 22 of the file, and field 20 behind the name.
        started = file.read().rpartition(b")")[2].split()[19].decode()
    import hashlib
    root, file = os.stat("/"), os.stat(adapter)
    run = [os.geteuid(), suite, started, root.st_dev, root.st_ino, sys.executable, os.path.realpath(adapter),
           file.st_mtime_ns, sorted(options.items()), sorted(os.environ.items()), os.getcwd()]
    return "\0deconv-backend-" + hashlib.sha256(json.dumps(run).encode()).hexdigest()[:40]


def _same_user(connection):
    """Whether the process at the other end of a connection has this process's user."""
    # The kernel's struct of three integers: process, user, group.
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return struct.unpack("3i", credentials)[1] == os.geteuid()


def attach(adapter, options, load):
    """Becomes a client of the run's start server, and ends this process when the process that serves for it ends.
    Returns if that is not possible. `load` runs the adapter up to serve(), for a new server.
    """
    if not (sys.platform == "linux" and hasattr(os, "pidfd_open") and hasattr(socket, "send_fds")):
        return
    try:
        suite = suite_process()
        if suite is None:
            return
        address = _address(suite, adapter, options)
        connection = _connect(address) or _start(address, suite, load)
        if connection is not None and _same_user(connection):
            _be_client(connection)
    except OSError as error:
        print(f"start server: {error}; this process runs alone", file=sys.stderr)


def _connect(address):
    """Returns a connection to the server, or None if there is no server."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(address)
        return connection
    except ConnectionRefusedError:
        connection.close()
        return None


def _start(address, suite, load):
    """Forks the server, unless another process was faster. Returns a connection to it, or None."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(address)
    except OSError:  # someone else has the name, perhaps just before it listens
        listener.close()
        return _connect(address)
    listener.listen(64)  # clients that may wait; a guess
    sys.stderr.flush()
    middle = os.fork()  # ends at once, so that the server is not a child of this process
    if middle == 0:
        if os.fork() != 0:
            os._exit(0)
        _be_server(listener, suite, load)  # does not return
    os.waitpid(middle, 0)
    listener.close()
    return _connect(address)


def _be_client(connection):
    """Hands the standard streams to the server, and ends as the forked process ends. Returns only if the server ended
    before it had forked a process for this client."""
    try:
        socket.send_fds(connection, [json.dumps({"group": os.getpgrp()}).encode()], [0, 1, 2])
        replies = connection.makefile("rb")
        forked = json.loads(replies.readline() or b"null")
    except OSError:
        return
    if forked is None:
        return
    # The suite sees the end of the forked process's output only if nobody else holds it.
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    try:
        end = json.loads(replies.readline() or b"null")
    except OSError:
        end = None
    if end is None:
        os.write(2, b"the start server of this backend was killed\n")
        os._exit(1)
    if end["signal"]:  # this process dies by the same signal, but without a second core file
        import resource
        import signal
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if end["signal"] not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(end["signal"], signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [end["signal"]])
        os.kill(os.getpid(), end["signal"])
    os._exit(end["status"])


class Server:
    """What the loop of the server waits for: the socket on which clients connect, and a descriptor of the suite's
    process (pidfd), which becomes readable when the process ends."""

    def __init__(self, listener, suite):
        self.listener, self.suite = listener, os.pidfd_open(suite)


def _be_server(listener, suite, load):
    """Runs the server in this process, and in its forked processes the adapter. Ends the process.

    load() calls fork_for_each_client() through serve(). There the server stays in its loop, and the forked processes
    return, serve their clients, and come back here. In them `_server` is None.
    """
    import signal
    import traceback
    global _server
    status = 1
    try:
        os.setpgid(0, 0)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(2, 1)  # standard output gets what the library prints while it loads
        os.close(nothing)
        _server = Server(listener, suite)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LOADING_SECONDS)
        load()  # returns in the forked processes, when they have served
        status = 0
    # The server prints nothing: its client runs the adapter alone, and prints the same.
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1 if end.code else 0
        if isinstance(end.code, str) and _server is None:
            print(end.code, file=sys.stderr)
    except BaseException:
        if _server is None:
            traceback.print_exc()
    if _server is not None:
        os._exit(1)
    sys.exit(status)


def fork_for_each_client():
    """In the start server, serves clients and returns only in the forked processes. Elsewhere, returns at once."""
    global _server
    if _server is None:
        return
    import signal
    signal.alarm(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):  # the streams of the first client
        os.dup2(nothing, stream)
    os.close(nothing)
    request = _loop(_server)
    _server = None
    _become(*request)


def _loop(server):
    """Serves clients. Returns (streams, process group) of a client in the process that was forked for it.

    It waits for four events: a client connects, the suite ends, a forked process ends, or a client ends. Without a
    forked process for IDLE_SECONDS, the server ends.
    """
    import selectors
    import signal
    selector = selectors.DefaultSelector()
    selector.register(server.listener, selectors.EVENT_READ)
    selector.register(server.suite, selectors.EVENT_READ)
    processes = {}  # the pidfd of a forked process -> (the connection of its client, the process)
    while True:
        ready = selector.select(None if processes else IDLE_SECONDS)
        if not ready:
            os._exit(0)
        for key, _ in ready:
            if key.fileobj is server.listener:  # a client connects
                request = _accept(server.listener)
                if request is None:
                    continue
                connection, streams, group = request
                process = os.fork()
                if process == 0:  # the forked process keeps none of the server's descriptors
                    for other in [entry.fileobj for entry in selector.get_map().values()]:
                        os.close(other if isinstance(other, int) else other.detach())
                    connection.close()
                    selector.close()
                    return streams, group
                for stream in streams:
                    os.close(stream)
                pidfd = os.pidfd_open(process)
                processes[pidfd] = connection, process
                selector.register(pidfd, selectors.EVENT_READ)
                selector.register(connection, selectors.EVENT_READ, process)
                _tell(connection, {"process": process})
            elif key.fileobj == server.suite:  # the suite has ended
                for _, process in processes.values():
                    os.kill(process, signal.SIGKILL)
                os._exit(0)
            elif isinstance(key.fileobj, int) and key.fileobj in processes:  # a forked process has ended
                connection, process = processes.pop(key.fileobj)
                selector.unregister(key.fileobj)
                os.close(key.fileobj)
                status = os.waitpid(process, 0)[1]
                ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
                _tell(connection, {"signal": ended_by, "status": os.WEXITSTATUS(status) if not ended_by else 0})
                if connection.fileno() in selector.get_map():
                    selector.unregister(connection)
                connection.close()
            elif key.data is not None and key.fileobj.fileno() >= 0:  # the client has ended
                selector.unregister(key.fileobj)
                if any(process == key.data for _, process in processes.values()):
                    os.kill(key.data, signal.SIGKILL)


def _accept(listener):
    """Returns (connection, streams, group of the client), or None."""
    connection, _ = listener.accept()
    streams = []
    try:
        connection.settimeout(5)  # a guess: a client that sends nothing must not stop the server
        if _same_user(connection):
            message, streams, _, _ = socket.recv_fds(connection, 4096, 3)
            group = json.loads(message)["group"]
            if len(streams) == 3:
                return connection, streams, group
    except (OSError, ValueError, KeyError):
        pass
    for stream in streams:
        os.close(stream)
    connection.close()
    return None


def _tell(connection, message):
    """Sends a client a line of JSON."""
    try:
        connection.sendall(json.dumps(message).encode() + b"\n")
    except OSError:  # the client was killed
        pass


def _become(streams, group):
    """Makes this forked process act for its client: with the client's process group and standard streams."""
    import ctypes
    import resource
    import signal
    from deconv_backend import protocol
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: ends with the server
        os.setpgid(0, group)  # the suite ends a backend's group
    except (OSError, AttributeError):
        pass
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    limit = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MEMORY_SHARE
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (limit if hard < 0 else min(limit, hard), hard))
    protocol.forget()
    protocol.protect()
