#!/usr/bin/env python3
"""Stages causes of restarts, asks `probelet why` for each, and prints what it said.

matrix.py [--containerd] [ROUNDS] [PROBELET]: needs Linux, root (for limits), python3 and openssl; with --containerd what
node.py names.
"""
import collections
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

import node

HERE = os.path.dirname(os.path.abspath(__file__))
CONTAINERD = "--containerd" in sys.argv
WORDS = [word for word in sys.argv[1:] if word != "--containerd"]
ROUNDS = int(WORDS[0]) if WORDS else 1
PROBELET = WORDS[1:] or [os.path.join(HERE, "..", "..", "probelet")]
LISTEN = "127.0.0.1:20359" if CONTAINERD else "127.0.0.1:20358"
SECONDS = 180
PODS = 19
PYTHON = os.path.realpath(sys.executable)


def http(port, path="/", **more):
    return {"httpGet": {"port": port, "path": path}, "periodSeconds": 1, **more}


def server(mode, port, *more):
    return [PYTHON, os.path.join(HERE, "server.py"), mode, str(port), *more]


def causes(folder):
    """Name, expected cause, and the container."""
    yield "quota", "cpu-limit", {
        "command": server("throttled", 18101),
        "resources": {"limits": {"cpu": "50m"}},
        "livenessProbe": http(18101, initialDelaySeconds=12)}
    yield "oom", "memory-limit", {
        "command": server("memory", 18102), "resources": {"limits": {"memory": "64Mi"}}}
    yield "crash", "crash", {"command": ["sh", "-c", "sleep 2; exit 3"]}
    yield "segfault", "crash", {"command": [
        PYTHON, "-c", "import ctypes, time; time.sleep(2); ctypes.string_at(0)"]}
    yield "missing", "program-missing", {"command": ["/usr/bin/no-such-program"]}
    yield "missing-later", "program-missing", {"command": ["sh", "-c", "sleep 1; no-such-program"]}
    yield "port", "wrong-port", {
        "command": server("ok", 18103), "livenessProbe": http(18153, initialDelaySeconds=8)}
    yield "path", "wrong-path", {
        "command": server("not-found", 18104), "livenessProbe": http(18104, initialDelaySeconds=8)}
    yield "hang", "hang", {
        "command": server("hang", 18105), "livenessProbe": http(18105, initialDelaySeconds=8)}
    yield "stopped", "stopped-process", {
        # The kernel ignores a SIGSTOP that a container's first process sends itself.
        "command": server("ok" if CONTAINERD else "stopped", 18106),
        "livenessProbe": http(18106, initialDelaySeconds=8)}
    yield "busy", "busy", {
        "command": server("busy", 18107), "livenessProbe": http(18107, initialDelaySeconds=8)}
    yield "start", "slow-start", {
        "command": server("slow-start", 18108), "livenessProbe": http(18108, failureThreshold=5)}
    yield "deaf", "not-listening", {
        "command": server("deaf", 18109), "livenessProbe": http(18109, initialDelaySeconds=8)}
    yield "sick", "reported-unhealthy", {
        "command": server("unhealthy", 18110), "livenessProbe": http(18110, initialDelaySeconds=8)}
    yield "dependency", "dependency-refused", {
        "command": server("refused", 18111), "readinessProbe": http(18111, initialDelaySeconds=8)}
    yield "name", "dns", {"command": server("unresolved", 18112)}
    yield "probed-name", "dns", {
        "command": server("ok", 18113),
        "readinessProbe": {**http(18113), "httpGet": {
            "host": "no-such-host.invalid", "port": 18113, "path": "/"}}}
    yield "killed", "stopped-by-others", {"command": ["sleep", "3600"] if CONTAINERD else [
        "sh", "-c", "(sleep 4; kill -KILL $$$$) & sleep 3600; wait"]}
    with open(folder + "/files/tls.crt") as file:
        trusted = file.read()
    yield "certificate", "tls", {
        "command": server("expired", 18114, folder + "/files/tls.crt", folder + "/files/tls.key"),
        "annotation": {"readiness": {
            "httpGet": {"port": 18114, "path": "/", "scheme": "HTTPS"}, "period": "1s",
            "tls": {"ca": trusted, "serverName": "web"}}}}


def pods(folder):
    for name, _, container in causes(folder):
        annotation = container.pop("annotation", None)
        metadata = {"name": name}
        if annotation:
            metadata["annotations"] = {"probelet.io/probes": json.dumps({"app": annotation})}
        spec = {"terminationGracePeriodSeconds": 1, "containers": [{"name": "app", **container}]}
        if CONTAINERD:
            spec["nodeName"] = node.NODE
            spec["containers"][0].update(
                image=node.IMAGE, env=[{"name": "ADDRESS", "value": "0.0.0.0"}])
        yield {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def certificate(folder):
    """A certificate of its own that expired yesterday."""
    os.makedirs(folder + "/files")
    key, request, made = (folder + "/files/tls." + end for end in ("key", "csr", "crt"))
    for command in (
            ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
             "-out", request, "-subj", "/CN=web", "-addext", "subjectAltName=DNS:web"],
            ["x509", "-req", "-in", request, "-signkey", key, "-out", made, "-days", "-1",
             "-copy_extensions", "copyall"]):
        subprocess.run(["openssl", *command], check=True, stderr=subprocess.DEVNULL)


def settled(seconds):
    """Waits until something was recorded of every pod, besides restarts on hold."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        time.sleep(3)
        with contextlib.suppress(OSError):
            with urllib.request.urlopen("http://%s/api/v1/incidents" % LISTEN, timeout=30) as answer:
                found = [each["incident"] for each in json.load(answer)]
            if len({each["pod"] for each in found if each["kind"] != "held"}) == PODS:
                return


def why():
    said = subprocess.run(
        [*PROBELET, "why", "--address", LISTEN, "-o", "json"], capture_output=True, text=True)
    return json.loads(said.stdout or "[]")


class Processes:
    """`probelet run` runs the containers itself."""

    def __init__(self, folder):
        self.folder = folder
        with open(folder + "/pods.yaml", "w") as file:
            file.write("\n---\n".join(json.dumps(pod) for pod in pods(folder)))

    def round(self, number):
        run = subprocess.Popen(
            [*PROBELET, "run", self.folder + "/pods.yaml", "--listen", LISTEN, "--monitor", "none",
             "--state-dir", "%s/state%d" % (self.folder, number), "--throttle-hold", "5s"],
            stdout=open("%s/run%d.log" % (self.folder, number), "w"), stderr=subprocess.STDOUT)
        try:
            settled(SECONDS)
            return why()
        finally:
            run.terminate()
            run.wait()

    def close(self):
        pass


class Containerd:
    """An agent probes the containers of a containerd, and a stand-in for a kubelet starts them."""

    def __init__(self, folder):
        self.folder = folder
        with contextlib.ExitStack() as started:
            self.runtime = node.Runtime(folder)
            started.callback(self.runtime.close)
            self.api = node.Api(folder)
            started.callback(self.api.close)
            self.close = started.pop_all().close

    def round(self, number):
        config = "%s/agent%d.yaml" % (self.folder, number)
        with open(config, "w") as file:
            json.dump({
                "runtime": {"endpoint": "unix://" + self.runtime.socket},
                "policy": {"preset": "trusted"},
                "guard": {"enabled": False},  # not so many failures of one node at once
                "throttleGuard": {"hold": "5s"},
                "incidents": {"logLines": 20},
                "nodeMonitor": {
                    "monitors": ["none"], "stateFolder": "%s/state%d" % (self.folder, number)}}, file)
        agent = subprocess.Popen(
            [*PROBELET, "agent", "--kubeconfig", self.api.kubeconfig, "--node-name", node.NODE,
             "--config", config, "--listen", LISTEN],
            stdout=open("%s/agent%d.log" % (self.folder, number), "w"), stderr=subprocess.STDOUT)
        kubelet = node.Kubelet(self.folder, self.runtime, self.api)
        try:
            kubelet.start(list(pods(self.folder)))
            time.sleep(20)
            kubelet.stop("killed")
            kubelet.freeze("stopped")
            settled(SECONDS)
            return why()
        finally:
            agent.terminate()
            agent.wait()
            kubelet.close()


def main():
    with tempfile.TemporaryDirectory(prefix="why-") as folder:
        certificate(folder)
        stage = Containerd(folder) if CONTAINERD else Processes(folder)
        try:
            return matrix_of(stage, {name: cause for name, cause, _ in causes(folder)})
        finally:
            stage.close()


def matrix_of(stage, expected):
    matrix = {name: collections.Counter() for name in expected}
    wrong = 0
    for number in range(ROUNDS):
        found = stage.round(number)
        print("round %d of %d, load average %.1f" % (number + 1, ROUNDS, os.getloadavg()[0]), file=sys.stderr)
        for name, cause in expected.items():
            all_of = [each for each in found if each["incident"]["pod"] == name]
            # Busy machines are slow: a restart may still be on hold.
            own = [each for each in all_of if each["incident"]["kind"] != "held"] or all_of
            # The first incident: later ones happen to a container in its back-off.
            said = own[-1]["cause"] if own else {"type": "nothing", "confidence": "unclear"}
            matrix[name]["%s (%s)" % (said["type"], said["confidence"])] += 1
            wrong += said["type"] != cause and said["confidence"] == "certain"
            if said["type"] != cause:
                print("%s: %s" % (name, json.dumps(own[-1:])), file=sys.stderr)
    right = 0
    for name, cause in expected.items():
        right += sum(n for said, n in matrix[name].items() if said.split(" ")[0] == cause)
        print("%-14s %-20s %s" % (name, cause, ", ".join(
            "%s %d" % each for each in matrix[name].most_common())))
    total = len(expected) * ROUNDS
    print("%d of %d right (%.1f %%), %d wrong with confidence"
          % (right, total, 100.0 * right / total, wrong))
    return 0 if right >= 0.95 * total and wrong == 0 else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started is ended, too
    sys.exit(main())
