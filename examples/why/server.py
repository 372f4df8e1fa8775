#!/usr/bin/env python3
"""A server that fails in one way: server.py MODE PORT.

On a busy machine a probe succeeds late, so it is healthy long enough at first.
"""
import os
import signal
import socket
import ssl
import sys
import time

mode, port = sys.argv[1], int(sys.argv[2])
HEALTHY = 20


def listener():
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((os.environ.get("ADDRESS", "127.0.0.1"), port))
    server.listen(64)
    return server


def burn(seconds):
    """Uses the CPU for so long, which takes longer where it is limited."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def answer(server, status, seconds=None):
    end = None if seconds is None else time.monotonic() + seconds
    server.settimeout(0.2)
    while end is None or time.monotonic() < end:
        try:
            client, _ = server.accept()
        except OSError:  # nobody came, or refused the handshake
            continue
        client.settimeout(1)
        try:
            client.recv(4096)
            client.sendall(b"HTTP/1.1 %d X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % status)
        except OSError:
            pass
        client.close()


if mode == "ok":
    answer(listener(), 200)
elif mode == "not-found":
    answer(listener(), 404)
elif mode == "unhealthy":
    answer(listener(), 503)
elif mode == "hang":  # healthy at first, then a deadlock
    server = listener()
    answer(server, 200, HEALTHY)
    time.sleep(3600)
elif mode == "busy":  # healthy at first, then an endless loop
    server = listener()
    answer(server, 200, HEALTHY)
    burn(3600)
elif mode == "throttled":  # it has 5 % of a core, and works all the time
    server = listener()
    answer(server, 200, HEALTHY)
    while True:
        burn(1)
        answer(server, 200, 0.01)
elif mode == "stopped":
    server = listener()
    answer(server, 200, HEALTHY)
    os.kill(os.getpid(), signal.SIGSTOP)
elif mode == "deaf":  # healthy at first, then it closes its socket
    server = listener()
    answer(server, 200, HEALTHY)
    server.close()
    time.sleep(3600)
elif mode == "slow-start":
    burn(3600)
elif mode == "memory":
    kept = []
    while True:
        kept.append(bytearray(1 << 20))
elif mode == "refused":
    server = listener()
    print(f"dial tcp 127.0.0.1:{port + 1000}: connect: connection refused", flush=True)
    answer(server, 503)
elif mode == "unresolved":
    print("lookup db.shop.svc: Name or service not known", flush=True)
    sys.exit(1)
elif mode == "expired":
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3], sys.argv[4])
    answer(context.wrap_socket(listener(), server_side=True), 200)
