package io.probelet.system.hostile;

import io.probelet.probe.PodRef;

/** Pods as the API server has them. */
final class HostilePods {
  private HostilePods() {}

  /**
   * A running pod with one container "web".
   *
   * @param annotations members of a JSON object, possibly none
   * @param container members of the container's JSON object, such as a probe
   * @param containerId what the kubelet says runs; empty if nothing does
   */
  static String pod(
      PodRef ref, String uid, String annotations, String container, String containerId) {
    String status =
        containerId.isEmpty()
            ? "\"phase\": \"Pending\""
            : """
            "phase": "Running", "podIP": "127.0.0.1",
            "containerStatuses": [{"name": "web", "containerID": "containerd://%s",
                "state": {"running": {"startedAt": "2026-11-21T10:00:00Z"}}}]
            """
                .formatted(containerId);
    return """
    {"metadata": {"name": "%s", "namespace": "%s", "uid": "%s", "annotations": {%s}},
     "spec": {"nodeName": "here", "restartPolicy": "Always", "terminationGracePeriodSeconds": 1,
        "containers": [{"name": "web", "image": "busybox", %s}]},
     "status": {%s}}
    """
        .formatted(ref.name(), ref.namespace(), uid, annotations, container, status);
  }

  /** A liveness probe that runs a shell's command each second, and one failure of which kills. */
  static String shell(String command) {
    return """
    "livenessProbe": {"exec": {"command": ["sh", "-c", "%s"]}, "periodSeconds": 1,
        "timeoutSeconds": 30, "failureThreshold": 1}
    """
        .formatted(command);
  }

  /** A liveness probe each second of a port on which nobody listens. */
  static String refused() {
    return """
    "livenessProbe": {"tcpSocket": {"port": 1}, "periodSeconds": 1, "timeoutSeconds": 30}
    """;
  }

  /** The annotation by which the kubelet marks the image of a static pod. */
  static String mirrorOf(String uid) {
    return "\"kubernetes.io/config.mirror\": \"" + uid + "\"";
  }
}
