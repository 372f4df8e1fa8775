package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** A pod from an API server: its containers run, and its address is this machine's. */
final class PretendedPod {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PretendedPod() {}

  /** Creates a pod with a container "web". */
  static ObjectNode of(String namespace, String name, Map<String, String> annotations) {
    return of(namespace, name, annotations, List.of("web"));
  }

  /** Creates a pod; pods of different names have different container ids. */
  static ObjectNode of(
      String namespace, String name, Map<String, String> annotations, List<String> containers) {
    ObjectNode pod = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.withObject("/metadata").put("namespace", namespace);
    annotations.forEach(metadata.putObject("annotations")::put);
    ArrayNode specs =
        pod.withObject("/spec")
            .put("nodeName", "here")
            .put("restartPolicy", "Always")
            .putArray("containers");
    ObjectNode status = pod.withObject("/status").put("phase", "Running").put("podIP", "127.0.0.1");
    status.putArray("podIPs").addObject().put("ip", "127.0.0.1");
    ArrayNode statuses = status.putArray("containerStatuses");
    for (String container : containers) {
      specs.addObject().put("name", container).put("image", "example.io/" + container);
      running(statuses.addObject(), container, name);
    }
    return pod;
  }

  /** Marks a container as running. */
  static void running(ObjectNode status, String container, String pod) {
    status
        .put("name", container)
        .put("ready", true)
        .put("started", true)
        .put("containerID", "containerd://" + container + "-" + pod)
        .putObject("state")
        .putObject("running")
        .put("startedAt", "2026-01-01T00:00:00Z");
  }
}
