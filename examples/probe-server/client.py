#!/usr/bin/env python3
"""A virtual kubelet in miniature: it runs one container, and Probelet probes it.

    probelet run --probe-socket /tmp/probelet.sock
    python3 examples/probe-server/client.py /tmp/probelet.sock

The container is a web server. Stop it with `kill -STOP PID`: its probe fails, and it is restarted.
Needs nothing but Python 3. The API is in docs/reference/probe-server.md.
"""

import http.client
import json
import signal
import socket
import subprocess
import sys
import time
import uuid
from datetime import datetime, timezone


class Probelet:
    """The probe server's API over its Unix socket."""

    def __init__(self, path):
        self.path = path

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("localhost")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(45)  # longer than the server waits for events
        try:
            connection.sock.connect(self.path)
            connection.request(method, path, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            content = json.loads(answer.read())
        finally:
            connection.close()
        if answer.status not in (200, 404):  # 404: it is gone, or the answer came too late
            raise SystemExit(f"{method} {path}: {answer.status} {content['error']}")
        return content


class Pod:
    """A pod with one container, which this program runs as a process."""

    def __init__(self):
        self.uid = str(uuid.uuid4())
        self.restarts = 0
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.id = f"process-{self.process.pid}"  # every instance needs an id of its own
        self.started = datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")
        print(f"started {self.id}", flush=True)

    def stop(self):
        self.process.kill()
        self.process.wait()

    def restart(self):
        self.stop()
        self.restarts += 1
        self.start()

    def manifest(self):
        """The Pod as an API server has it: a spec with probes, and a status."""
        probe = {"httpGet": {"port": self.port, "path": "/"}, "periodSeconds": 1}
        return {
            "metadata": {"namespace": "default", "name": "web", "uid": self.uid},
            "spec": {
                "containers": [
                    {
                        "name": "server",
                        "image": "web",
                        "startupProbe": {"exec": {"command": ["true"]}, "periodSeconds": 1},
                        "readinessProbe": probe,
                        "livenessProbe": {**probe, "failureThreshold": 2},
                    }
                ]
            },
            "status": {
                "phase": "Running",
                "podIP": "127.0.0.1",
                "containerStatuses": [
                    {
                        "name": "server",
                        "containerID": self.id,
                        "restartCount": self.restarts,
                        "state": {"running": {"startedAt": self.started}},
                    }
                ],
            },
        }


def handle(event, pod, probelet):
    if event["type"] == "Restart" and event["containerID"] == pod.id:
        print(f"restart {pod.id}: {event['message']}", flush=True)
        pod.restart()
        probelet.request("PUT", "/v1/pods", pod.manifest())  # ends the restart
    elif event["type"] == "Exec":
        try:  # a kubelet runs it in the container; here that is this machine
            ended = subprocess.run(
                event["command"],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=event["timeoutSeconds"],
            )
            answer = {"exitCode": ended.returncode, "output": ended.stdout.decode(errors="replace")}
        except subprocess.TimeoutExpired:
            answer = {}
        probelet.request("POST", "/v1/execs", {"id": event["id"], **answer})
    elif event["type"] == "Container":  # here a kubelet updates the Pod's status
        print(f"{event['containerID']} ready={event['ready']}", flush=True)


def serve(pod, probelet):
    """Hands the pod over, and follows the events until some are missed."""
    probelet.request("PUT", "/v1/pods", pod.manifest())
    state = probelet.request("GET", "/v1/pods")
    for pending in state["restarts"] + state["execs"]:
        handle(pending, pod, probelet)
    instance, sequence, gap = state["instance"], state["sequence"], False
    while not gap:
        answer = probelet.request("GET", f"/v1/events?instance={instance}&after={sequence}")
        for event in answer["events"]:
            handle(event, pod, probelet)
        sequence, gap = answer["sequence"], answer["gap"]


def main(path):
    probelet, pod = Probelet(path), Pod()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        while True:
            try:
                serve(pod, probelet)
            except (OSError, http.client.HTTPException) as unreachable:
                print(f"probe server: {unreachable}", flush=True)
                time.sleep(1)  # Probelet starts again, and then knows no pods
    finally:
        pod.stop()
        probelet.request("DELETE", f"/v1/pods?namespace=default&name=web&uid={pod.uid}")


if __name__ == "__main__":
    main(*sys.argv[1:])
