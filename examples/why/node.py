"""A node for the staged causes: a containerd, an API server, and a stand-in for the kubelet.

Needs Linux, root, containerd, runc, a static busybox (Debian: containerd runc busybox-static), ip, curl and openssl, and
in the folder KUBEBUILDER_ASSETS etcd and kube-apiserver. All files are in one folder, and nothing is shared with a
containerd that runs already.
"""
import concurrent.futures
import datetime
import hashlib
import io
import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tarfile
import threading
import time
import urllib.error
import urllib.request

NODE = "here"
IMAGE = "docker.io/probelet/why:1"
TOKEN = "of-the-staged-causes"
BACK_OFF = 10
HERE = os.path.dirname(os.path.abspath(__file__))

# Gives each pod a network of its own; the kubelet has written its address into a file.
NETWORK = """#!/bin/sh
set -eu
version='"cniVersion": "0.3.1"'
case $CNI_COMMAND in
  VERSION) echo "{$version, \\"supportedVersions\\": [\\"0.3.1\\"]}" ;;
  ADD)
    net=$(basename "$CNI_NETNS")
    if [ "$(basename "$0")" = loopback ]; then
      ip -n "$net" link set lo up
      echo "{$version, \\"interfaces\\": [{\\"name\\": \\"lo\\", \\"sandbox\\": \\"$CNI_NETNS\\"}],
        \\"ips\\": [{\\"version\\": \\"4\\", \\"interface\\": 0, \\"address\\": \\"127.0.0.1/8\\"}]}"
    else
      pod=${CNI_ARGS##*K8S_POD_NAME=}
      address=$(cat "$(dirname "$0")/${pod%%;*}.ip")
      link=why${address##*.}
      ! ip link delete "$link" 2>/dev/null || :
      ip link add "$link" type veth peer name eth0 netns "$net"
      ip address add 10.213.0.1/32 dev "$link"
      ip link set "$link" up
      ip route add "$address/32" dev "$link" src 10.213.0.1
      ip -n "$net" address add "$address/24" dev eth0
      ip -n "$net" link set eth0 up
      echo "{$version, \\"interfaces\\": [{\\"name\\": \\"eth0\\", \\"sandbox\\": \\"$CNI_NETNS\\"}],
        \\"ips\\": [{\\"version\\": \\"4\\", \\"interface\\": 0, \\"address\\": \\"$address/24\\"}]}"
    fi ;;
esac
"""


def encoded(fields):
    """A protobuf message from numbers of fields to values."""
    out = b""
    for number, value in fields.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                each = encoded(each)
            if isinstance(each, int):
                out += varint(number << 3) + varint(each)
            else:
                each = each.encode() if isinstance(each, str) else each
                out += varint(number << 3 | 2) + varint(len(each)) + each
    return out


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def pairs(texts):
    return [{1: key, 2: value} for key, value in texts.items()]


def decoded(data):
    """The fields of a message, the last of each number; repeated ones are in lists below -number."""
    fields, at = {}, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 0:
            value = number()
        else:  # the runtime's API has no fixed numbers
            length = number()
            value = data[at:at + length]
            at += length
        fields[key >> 3] = value
        fields.setdefault(-(key >> 3), []).append(value)
    return fields


def text(value):
    return value.decode(errors="replace") if isinstance(value, bytes) else ""


def moment(nanos):
    return datetime.datetime.fromtimestamp(nanos / 1e9, datetime.timezone.utc).strftime(
        "%Y-%m-%dT%H:%M:%SZ")


class Failed(Exception):
    """The runtime or the API server refused a request."""


class Runtime:
    """A containerd, asked as a kubelet does: by its runtime interface, over gRPC."""

    def __init__(self, folder):
        self.folder = folder
        self.socket = folder + "/c.sock"
        os.makedirs(folder + "/cni")
        for name in "loopback", "why":
            with open(folder + "/cni/" + name, "w") as file:
                file.write(NETWORK)
            os.chmod(file.name, 0o755)
        with open(folder + "/cni/why.conflist", "w") as file:
            json.dump({"cniVersion": "0.3.1", "name": "why", "plugins": [{"type": "why"}]}, file)
        with open(folder + "/config.toml", "w") as file:
            file.write("""
version = 2
root = "%(folder)s/root"
state = "%(folder)s/state"
[grpc]
  address = "%(socket)s"
[ttrpc]
  address = "%(folder)s/c.ttrpc"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "%(image)s"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "%(folder)s/cni"
    conf_dir = "%(folder)s/cni"
""" % {"folder": folder, "socket": self.socket, "image": IMAGE})
        self.process = started(folder, ["containerd", "--config", folder + "/config.toml"])
        try:
            wait("containerd", lambda: self.ctr("version"))
            self.ctr("images", "import", image(folder))
        except BaseException:
            self.close()
            raise

    def ctr(self, *arguments):
        done = subprocess.run(["ctr", "--address", self.socket, "--namespace", "k8s.io", *arguments],
                              capture_output=True, text=True)
        if done.returncode:
            raise Failed(done.stderr)
        return done.stdout

    def call(self, method, fields):
        request = encoded(fields)
        done = subprocess.run(
            ["curl", "-s", "--http2-prior-knowledge", "--unix-socket", self.socket, "-D", "/dev/stderr",
             "-H", "content-type: application/grpc", "-H", "te: trailers", "--data-binary", "@-",
             "http://localhost/runtime.v1.RuntimeService/" + method],
            input=b"\0" + len(request).to_bytes(4, "big") + request, capture_output=True)
        ends = dict(line.split(": ", 1) for line in done.stderr.decode().splitlines() if ": " in line)
        if ends.get("grpc-status") != "0":
            raise Failed("%s: %s" % (method, ends.get("grpc-message", done.stderr.decode())))
        return decoded(done.stdout[5:])

    def pid(self, container):
        for line in self.ctr("tasks", "list").splitlines():
            if line.startswith(container):
                return int(line.split()[1])
        raise Failed("no task " + container)

    def close(self):
        end(self.process)
        mounts = [line.split()[1] for line in open("/proc/mounts") if self.folder in line.split()[1]]
        for mount in reversed(mounts):
            subprocess.run(["umount", "-l", mount], check=False)


def image(folder):
    """An image of an empty system, into which this machine's programs are mounted."""
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        for name in ["dev", "etc", "proc", "sys", "tmp", "usr"]:
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(entry)
        for name in ["bin", "lib", "lib64", "sbin"]:
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, "usr/" + name
            tar.addfile(entry)
        tar.add(os.path.realpath(shutil.which("busybox")), "busybox")
    config = json.dumps({
        "architecture": "arm64" if os.uname().machine == "aarch64" else "amd64", "os": "linux",
        "config": {"Env": ["PATH=/usr/bin:/usr/sbin"], "Cmd": ["/busybox", "sleep", "1000000"]},
        "rootfs": {"type": "layers",
                   "diff_ids": ["sha256:" + hashlib.sha256(layer.getvalue()).hexdigest()]}})
    manifest = json.dumps([{"Config": "config.json", "RepoTags": [IMAGE], "Layers": ["layer.tar"]}])
    with tarfile.open(folder + "/image.tar", "w") as tar:
        for name, content in ("config.json", config.encode()), ("manifest.json", manifest.encode()), (
                "layer.tar", layer.getvalue()):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return folder + "/image.tar"


class Api:
    """An etcd and a kube-apiserver of their own."""

    def __init__(self, folder):
        assets = os.environ.get("KUBEBUILDER_ASSETS", "/usr/local/kubebuilder/bin")
        store = "http://127.0.0.1:20362"
        self.url = "https://127.0.0.1:20361"
        self.kubeconfig = folder + "/kubeconfig"
        for command in (["genrsa", "-out", folder + "/sa.key", "2048"],
                        ["rsa", "-in", folder + "/sa.key", "-pubout", "-out", folder + "/sa.pub"]):
            subprocess.run(["openssl", *command], check=True, stderr=subprocess.DEVNULL)
        with open(folder + "/tokens.csv", "w") as file:
            file.write(TOKEN + ",admin,admin,system:masters\n")
        with open(self.kubeconfig, "w") as file:
            json.dump({
                "apiVersion": "v1", "kind": "Config", "current-context": "x",
                "clusters": [{"name": "c", "cluster": {
                    "server": self.url, "insecure-skip-tls-verify": True}}],
                "users": [{"name": "u", "user": {"token": TOKEN}}],
                "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}]}, file)
        self.processes = [
            started(folder, [
                assets + "/etcd", "--data-dir=" + folder + "/etcd", "--listen-client-urls=" + store,
                "--advertise-client-urls=" + store, "--listen-peer-urls=http://127.0.0.1:0",
                "--unsafe-no-fsync"]),
            started(folder, [
                assets + "/kube-apiserver", "--etcd-servers=" + store, "--cert-dir=" + folder + "/certs",
                "--bind-address=127.0.0.1", "--secure-port=20361",
                "--token-auth-file=" + folder + "/tokens.csv", "--authorization-mode=RBAC",
                "--service-account-issuer=https://127.0.0.1",
                "--service-account-key-file=" + folder + "/sa.pub",
                "--service-account-signing-key-file=" + folder + "/sa.key",
                "--service-cluster-ip-range=10.0.0.0/24",
                "--disable-admission-plugins=ServiceAccount"])]
        try:
            wait("kube-apiserver", lambda: self.call("GET", "/api/v1/namespaces/default"))
            self.call("POST", "/api/v1/nodes", {
                "apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}})
        except BaseException:
            self.close()
            raise

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.url + path, method=method, headers={
            "Authorization": "Bearer " + TOKEN,
            "Content-Type": "application/merge-patch+json" if method == "PATCH" else "application/json"})
        data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(
                    request, data, timeout=60, context=ssl._create_unverified_context()) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            raise Failed(refused.read().decode()) from refused
        except urllib.error.URLError as away:
            raise Failed(str(away)) from away

    def close(self):
        for process in reversed(self.processes):
            end(process)


def started(folder, command):
    log = open("%s/%s.log" % (folder, os.path.basename(command[0])), "a")
    return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)


def end(process):
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait(what, ready):
    deadline = time.monotonic() + 120
    while True:
        try:
            return ready()
        except (Failed, OSError) as away:
            if time.monotonic() > deadline:
                raise Failed("%s does not answer: %s" % (what, away)) from away
            time.sleep(0.2)


class Container:
    """The only container of a pod."""

    def __init__(self, pod, uid, sandbox, config, ip):
        self.pod, self.uid, self.sandbox, self.config, self.ip = pod, uid, sandbox, config, ip
        self.id = ""
        self.attempt = -1
        self.state, self.last = {}, {}
        self.restart_at = None


class Kubelet:
    """Makes the containers of pods, makes ended ones again, and writes the pods' status."""

    def __init__(self, folder, runtime, api):
        self.folder, self.runtime, self.api = folder, runtime, api
        self.containers = []
        self.over = threading.Event()
        self.problems = []
        self.loop = threading.Thread(target=self.follow)

    def start(self, pods):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(self.add, pods, range(len(pods))))  # raises what failed
        self.loop.start()

    def add(self, pod, number):
        metadata = pod["metadata"]
        stored = self.api.call("POST", "/api/v1/namespaces/default/pods", pod)
        uid = stored["metadata"]["uid"]
        ip = "10.213.0.%d" % (number + 2)
        with open("%s/cni/%s.ip" % (self.folder, metadata["name"]), "w") as file:
            file.write(ip)
        logs = "%s/logs/%s" % (self.folder, uid)
        os.makedirs(logs)
        config = {
            1: {1: metadata["name"], 2: uid, 3: "default"}, 3: logs,
            6: pairs({"io.kubernetes.pod.name": metadata["name"],
                      "io.kubernetes.pod.namespace": "default", "io.kubernetes.pod.uid": uid})}
        sandbox = text(self.runtime.call("RunPodSandbox", {1: config})[1])
        container = Container(pod, uid, sandbox, config, ip)
        self.containers.append(container)
        self.instance(container)

    def instance(self, container):
        spec = container.pod["spec"]["containers"][0]
        container.attempt += 1
        container.restart_at = None
        limits = spec.get("resources", {}).get("limits", {})
        cpu, memory = limits.get("cpu", "0m"), limits.get("memory", "0Mi")
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(sys.executable)))
        name = "app_%d" % container.attempt
        made = self.runtime.call("CreateContainer", {1: container.sandbox, 3: container.config, 2: {
            1: {1: spec["name"], 2: container.attempt},
            2: {1: IMAGE},
            3: spec["command"],
            6: pairs({each["name"]: each["value"] for each in spec.get("env", [])}),
            7: [{1: path, 2: path, 3: 1}
                for path in sorted({"/usr", prefix, HERE, self.folder + "/files"} - {"/"})
                if path == "/usr" or not path.startswith("/usr/")],
            9: container.config[6] + pairs({"io.kubernetes.container.name": spec["name"]}),
            10: pairs({"io.kubernetes.container.restartCount": str(container.attempt),
                       "io.kubernetes.pod.terminationGracePeriod": "1"}),
            11: name + ".log",
            15: {1: {1: 100000, 2: int(cpu[:-1]) * 100, 4: int(memory[:-2]) << 20}}}})
        container.id = text(made[1])
        try:
            self.runtime.call("StartContainer", {1: container.id})
            container.state = {"running": {"startedAt": moment(time.time_ns())}}
        except Failed as refused:
            container.state = {"waiting": {"reason": "RunContainerError", "message": str(refused)}}
        self.report(container)

    def report(self, container):
        state = container.state
        ready = "running" in state
        self.api.call(
            "PATCH", "/api/v1/namespaces/default/pods/%s/status" % container.pod["metadata"]["name"],
            {"status": {
                "phase": "Running", "podIP": container.ip, "podIPs": [{"ip": container.ip}],
                "hostIP": "127.0.0.1", "containerStatuses": [{
                    "name": "app", "image": IMAGE, "imageID": IMAGE, "ready": ready, "started": ready,
                    "containerID": "containerd://" + container.id, "restartCount": container.attempt,
                    "state": state, "lastState": container.last}]}})

    def follow(self):
        while not self.over.wait(0.5):
            try:
                listed = self.runtime.call("ListContainers", {})
                states = {}
                for each in map(decoded, listed.get(-1, [])):
                    states[text(each[1])] = each.get(6, 0)
                for container in self.containers:
                    self.look(container, states.get(container.id))
            except Failed as problem:
                self.problems.append(str(problem))

    def look(self, container, state):
        now = time.monotonic()
        if container.restart_at is None and state == 2:
            status = decoded(self.runtime.call("ContainerStatus", {1: container.id})[1])
            container.last = {"terminated": {
                "exitCode": status.get(7, 0), "reason": text(status.get(10)),
                "message": text(status.get(11)), "containerID": "containerd://" + container.id,
                "startedAt": moment(status.get(5, 0)), "finishedAt": moment(status.get(6, 0))}}
            if container.attempt == 0:
                container.restart_at = now  # the first restart comes at once
                return
            container.restart_at = now + BACK_OFF * 2 ** (container.attempt - 1)
            container.state = {"waiting": {
                "reason": "CrashLoopBackOff", "message": "back-off restarting failed container"}}
            self.report(container)
        elif container.restart_at is not None and now >= container.restart_at:
            self.instance(container)

    def of(self, name):
        for container in self.containers:
            if container.pod["metadata"]["name"] == name:
                return container
        raise KeyError(name)

    def stop(self, name):
        """As a kubelet stops a container for a reason of its own."""
        self.runtime.call("StopContainer", {1: self.of(name).id, 2: 0})

    def freeze(self, name):
        os.kill(self.runtime.pid(self.of(name).id), signal.SIGSTOP)

    def close(self):
        self.over.set()
        if self.loop.is_alive():
            self.loop.join()
        for container in self.containers:
            self.api.call("DELETE", "/api/v1/namespaces/default/pods/%s?gracePeriodSeconds=0"
                          % container.pod["metadata"]["name"])
            self.runtime.call("StopPodSandbox", {1: container.sandbox})
            self.runtime.call("RemovePodSandbox", {1: container.sandbox})
