package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.KeptFields;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.JsonLimits;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.ViewJson;
import io.probelet.web.incident.ExplainedIncident;
import io.probelet.web.statistics.StatisticsResource;
import io.probelet.web.statistics.StatisticsView;
import java.io.IOException;
import java.util.List;

/**
 * Asks the agent of one node through the API server's proxy, with the operator's rights. A node may
 * be taken over: its answer has limits of size, depth, values and time.
 */
public final class FleetAgent {
  /** Where agents and controllers listen unless their configuration says otherwise. */
  static final int PORT = 20258;

  /** By the names of deploy/, else by what other releases of the chart have. */
  private static final List<String> LABELS =
      List.of(
          "app.kubernetes.io/name=probelet-agent",
          "app.kubernetes.io/part-of=probelet,app.kubernetes.io/component=agent");

  private final ApiServer api;
  private final PodProxy proxy;
  private final String namespace;

  /** Creates one that has not asked yet. */
  public FleetAgent(ApiServer api, String namespace, TimeSource time) {
    this.api = api;
    this.proxy = new PodProxy(api, time);
    this.namespace = namespace;
  }

  /**
   * Asks for a node.
   *
   * @throws IOException if there was no such answer; the message is for the user
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  public NodeView node(String node) throws IOException, InterruptedException {
    byte[] answer = ask(node, "/api/v1/node?history=" + NodeView.MAX_HISTORY);
    return read(node, () -> ViewJson.read(answer, NodeView.class));
  }

  /**
   * Asks for the containers of a node.
   *
   * @param history how many past outcomes of each probe are wanted, 0 to 60
   * @throws IOException if there was no such answer; the message is for the user
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  public List<ContainerView> containers(String node, int history)
      throws IOException, InterruptedException {
    byte[] answer = ask(node, "/api/v1/containers?history=" + history);
    return read(
        node,
        () -> {
          List<ContainerView> containers = ViewJson.readAll(answer, ContainerView.class);
          if (containers.stream().anyMatch(each -> each.pod().isEmpty())) {
            throw new IllegalArgumentException("a container without a pod");
          }
          return containers;
        });
  }

  /** An answer is not JSON, or larger than a client reads. */
  public static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * Creates one.
     *
     * @param message for the user
     * @param cause what is wrong with the answer
     */
    public RefusedException(String message, IOException cause) {
      super(message, cause);
    }
  }

  /**
   * Asks for the statistics of a node's probes.
   *
   * @throws IOException if there was no such answer; the message is for the user
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  public StatisticsView statistics(String node) throws IOException, InterruptedException {
    byte[] answer = ask(node, StatisticsResource.PATH);
    return read(node, () -> ViewJson.read(answer, StatisticsView.class));
  }

  /**
   * Asks what happened to a node's containers and why.
   *
   * @param node its name
   * @return incidents, newest first
   * @throws IOException if there was no such answer; the message is for the user
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  public List<ExplainedIncident> incidents(String node) throws IOException, InterruptedException {
    byte[] answer = ask(node, "/api/v1/incidents");
    return read(node, () -> ViewJson.readAll(answer, ExplainedIncident.class));
  }

  /** How an answer is read. */
  @FunctionalInterface
  private interface Reading<T> {
    T read() throws IOException;
  }

  private static <T> T read(String node, Reading<T> reading) throws IOException {
    try {
      return reading.read();
    } catch (IOException | RuntimeException other) {
      throw new IOException("the agent of node " + node + ": unexpected response", other);
    }
  }

  private byte[] ask(String node, String path) throws IOException, InterruptedException {
    String pod = pod(node);
    try {
      return proxy.get(namespace, pod, PORT, path, JsonLimits.OF_NODE);
    } catch (PodProxy.ForbiddenException forbidden) {
      throw forbidden;
    } catch (PodProxy.RefusedAnswerException hostile) {
      throw new RefusedException(
          "the agent of node " + node + ": " + hostile.getMessage(), hostile);
    } catch (IOException unreachable) {
      throw new IOException(
          unreachable.getMessage()
              + "; if the agent listens on loopback only (http.listen), use"
              + " kubectl -n %s exec %s -- probelet status".formatted(namespace, pod),
          unreachable);
    }
  }

  /** The agent's pod on a node, as the API server knows it: no node has a say in which that is. */
  private String pod(String node) throws IOException {
    for (String labels : LABELS) {
      ApiResult answer =
          api.get(
              "/api/v1/namespaces/%s/pods?limit=1&labelSelector=%s&fieldSelector=%s"
                  .formatted(
                      PodProxy.encoded(namespace),
                      PodProxy.encoded(labels),
                      PodProxy.encoded("spec.nodeName=" + node + ",status.phase=Running")),
              KeptFields.of("/items/metadata/name"));
      if (answer.isForbidden()) {
        throw new PodProxy.ForbiddenException(
            "requires permission: list pods in namespace " + namespace);
      }
      if (!(answer instanceof Done(JsonNode list))) {
        throw new IOException(
            "cannot list pods in namespace %s: %s".formatted(namespace, answer.summary()));
      }
      for (JsonNode pod : list.path("items")) {
        return pod.at("/metadata/name").asText();
      }
    }
    throw new IOException(
        "no pod of probelet-agent in namespace %s runs on node %s".formatted(namespace, node));
  }
}
