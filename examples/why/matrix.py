#!/usr/bin/env python3
"""Stages causes of restarts, asks `probelet why` for each, and prints what it said.

matrix.py [ROUNDS] [PROBELET]: needs Linux, root (for limits), python3 and openssl.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 1
PROBELET = sys.argv[2:] or [os.path.join(HERE, "..", "..", "probelet")]
LISTEN = "127.0.0.1:20358"
SECONDS = 60


def http(port, path="/", **more):
    return {"httpGet": {"host": "127.0.0.1", "port": port, "path": path}, "periodSeconds": 1, **more}


def server(mode, port, *more):
    return [sys.executable, os.path.join(HERE, "server.py"), mode, str(port), *more]


def causes(folder):
    """Name, expected cause, and the container."""
    yield "quota", "cpu-limit", {
        "command": server("throttled", 18101),
        "resources": {"limits": {"cpu": "50m"}},
        "livenessProbe": http(18101, initialDelaySeconds=12)}
    yield "oom", "memory-limit", {
        "command": server("memory", 18102), "resources": {"limits": {"memory": "64Mi"}}}
    yield "crash", "crash", {"command": ["sh", "-c", "sleep 2; exit 3"]}
    yield "segfault", "crash", {"command": ["sh", "-c", "sleep 2; kill -SEGV $$$$"]}
    yield "missing", "program-missing", {"command": ["/usr/bin/no-such-program"]}
    yield "missing-later", "program-missing", {"command": ["sh", "-c", "sleep 1; no-such-program"]}
    yield "port", "wrong-port", {
        "command": server("ok", 18103), "livenessProbe": http(18153, initialDelaySeconds=8)}
    yield "path", "wrong-path", {
        "command": server("not-found", 18104), "livenessProbe": http(18104, initialDelaySeconds=8)}
    yield "hang", "hang", {
        "command": server("hang", 18105), "livenessProbe": http(18105, initialDelaySeconds=8)}
    yield "stopped", "stopped-process", {
        "command": server("stopped", 18106), "livenessProbe": http(18106, initialDelaySeconds=8),
        "terminationGracePeriod": 1}
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
    yield "killed", "stopped-by-others", {
        "command": ["sh", "-c", "(sleep 4; kill -KILL $$$$) & sleep 3600; wait"]}
    yield "certificate", "tls", {
        "command": server("expired", 18114, folder + "/tls.crt", folder + "/tls.key"),
        "annotation": {"readiness": {
            "httpGet": {"host": "127.0.0.1", "port": 18114, "path": "/", "scheme": "HTTPS"},
            "period": "1s", "tls": {"caFile": folder + "/tls.crt", "serverName": "web"}}}}


def pods(folder):
    for name, _, container in causes(folder):
        annotation = container.pop("annotation", None)
        grace = container.pop("terminationGracePeriod", 1)
        metadata = {"name": name}
        if annotation:
            metadata["annotations"] = {"probelet.io/probes": json.dumps({"app": annotation})}
        yield {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {
            "terminationGracePeriodSeconds": grace, "containers": [{"name": "app", **container}]}}


def certificate(folder):
    """A certificate of its own that expired yesterday."""
    key, request, made = (folder + "/tls." + end for end in ("key", "csr", "crt"))
    for command in (
            ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
             "-out", request, "-subj", "/CN=web", "-addext", "subjectAltName=DNS:web"],
            ["x509", "-req", "-in", request, "-signkey", key, "-out", made, "-days", "-1",
             "-copy_extensions", "copyall"]):
        subprocess.run(["openssl", *command], check=True, stderr=subprocess.DEVNULL)


def round_of(folder, number):
    state = os.path.join(folder, "state%d" % number)
    run = subprocess.Popen(
        [*PROBELET, "run", folder + "/pods.yaml", "--state-dir", state, "--listen", LISTEN,
         "--monitor", "none", "--throttle-hold", "5s"],
        stdout=open(os.path.join(folder, "run%d.log" % number), "w"), stderr=subprocess.STDOUT)
    try:
        time.sleep(SECONDS)
        said = subprocess.run(
            [*PROBELET, "why", "--address", LISTEN, "-o", "json"], capture_output=True, text=True)
        return json.loads(said.stdout or "[]")
    finally:
        run.terminate()
        run.wait()


def main():
    with tempfile.TemporaryDirectory(prefix="probelet-why-") as folder:
        certificate(folder)
        with open(folder + "/pods.yaml", "w") as file:
            file.write("\n---\n".join(json.dumps(pod) for pod in pods(folder)))
        expected = {name: cause for name, cause, _ in causes(folder)}
        matrix = {name: collections.Counter() for name in expected}
        wrong = 0
        for number in range(ROUNDS):
            found = round_of(folder, number)
            for name, cause in expected.items():
                own = [each["cause"] for each in found if each["incident"]["pod"] == name
                       and each["incident"]["kind"] != "held"]
                # The first incident: later ones happen to a container in its back-off.
                said = own[-1] if own else {"type": "nothing", "confidence": "unclear"}
                matrix[name]["%s (%s)" % (said["type"], said["confidence"])] += 1
                wrong += said["type"] != cause and said["confidence"] == "certain"
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
    sys.exit(main())
