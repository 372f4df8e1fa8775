package io.probelet.agent.cluster;

/** Pods as an API server sends them. */
public final class ApiPods {
  private ApiPods() {}

  /** A running pod with one container "web" and a liveness probe. */
  public static String running(String name) {
    return pod(name, "", "\"livenessProbe\": {\"tcpSocket\": {\"port\": 80}}");
  }

  /** A running pod; both texts are members of JSON objects, possibly empty. */
  public static String pod(String name, String annotations, String container) {
    return """
    {"metadata": {"name": "%1$s", "namespace": "shop", "uid": "uid-%1$s",
        "annotations": {%2$s},
        "managedFields": [{"manager": "kubelet", "fieldsV1": {"f:status": {}}}]},
     "spec": {"nodeName": "here", "restartPolicy": "Always",
        "terminationGracePeriodSeconds": 7,
        "containers": [{"name": "web", "image": "web:1", "someNewField": 1,
            "env": [{"name": "A", "value": "b"}],
            "ports": [{"name": "http", "containerPort": 8080}]%3$s}]},
     "status": {"phase": "Running", "podIP": "127.0.0.1",
        "podIPs": [{"ip": "127.0.0.1"}, {"ip": "::1"}],
        "conditions": [{"type": "Ready", "status": "True"}],
        "containerStatuses": [{"name": "web", "ready": true, "started": true,
            "restartCount": 2, "containerID": "containerd://id-%1$s",
            "state": {"running": {"startedAt": "2026-11-21T10:00:00Z"}}}]}}
    """
        .formatted(name, annotations, container.isEmpty() ? "" : ", " + container);
  }
}
