package io.probelet.agent.fleet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.agent.api.ContainerView;
import io.probelet.agent.api.NodeView;
import io.probelet.agent.api.ViewJson;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks the agent of one node through the API server's proxy, with the operator's rights. A node may
 * be taken over: its answer has a most size, depth, number of entries and time, and is JSON of the
 * agent's API or nothing.
 */
public final class FleetAgent {
  /** Where agents and controllers listen unless their configuration says otherwise. */
  static final int PORT = 20258;

  /** By the names of deploy/, else by what other releases of the chart have. */
  private static final List<String> LABELS =
      List.of(
          "app.kubernetes.io/name=probelet-agent",
          "app.kubernetes.io/part-of=probelet,app.kubernetes.io/component=agent");

  private static final int MAX_DEPTH = 16;
  private static final int MAX_TEXT = 16_384;
  private static final int MAX_ENTRIES = 200_000;
  private static final int MAX_WHY = 200;
  private static final JsonFactory STRICT =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxDocumentLength(PodProxy.MAX_BYTES)
                  .build())
          .build();
  private static final ObjectMapper JSON = new ObjectMapper(STRICT);

  private final ApiServer api;
  private final PodProxy proxy;
  private final String namespace;

  /**
   * Creates one that has not asked yet.
   *
   * @param api the API server
   * @param namespace where the agents are
   * @param time measures how long an answer takes
   */
  public FleetAgent(ApiServer api, String namespace, TimeSource time) {
    this.api = api;
    this.proxy = new PodProxy(api, time);
    this.namespace = namespace;
  }

  /**
   * Asks for a node.
   *
   * @param node its name
   * @return how its agent sees it
   * @throws IOException if there was no such answer; the message is for the user
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  public NodeView node(String node) throws IOException, InterruptedException {
    byte[] answer = ask(node, "/api/v1/node?history=" + NodeView.MAX_HISTORY);
    return read(node, () -> Objects.requireNonNull(ViewJson.read(answer, NodeView.class)));
  }

  /**
   * Asks for the containers of a node.
   *
   * @param node its name
   * @param history how many past outcomes of each probe are wanted, 0 to 60
   * @return what its agent probes
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
          complete(containers);
          containers.forEach(container -> complete(container.probes()));
          return containers;
        });
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
      throw new IOException("the agent of node " + node + " answers something else", other);
    }
  }

  /** What JSON leaves out is null, whatever the types say. */
  private static void complete(@Nullable List<?> list) {
    if (list == null || list.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("a list, or an entry of one, is missing");
    }
  }

  private byte[] ask(String node, String path) throws IOException, InterruptedException {
    String pod = pod(node);
    byte[] answer;
    try {
      answer = proxy.get(namespace, pod, PORT, path);
    } catch (PodProxy.ForbiddenException forbidden) {
      throw forbidden;
    } catch (IOException unreachable) {
      throw new IOException(
          unreachable.getMessage()
              + "; an agent that listens on its node's loopback only (http.listen) is asked there:"
              + " kubectl -n %s exec %s -- probelet status".formatted(namespace, pod),
          unreachable);
    }
    check(node, answer);
    return answer;
  }

  /** The agent's pod on a node, as the API server knows it: no node has a say in which that is. */
  private String pod(String node) throws IOException {
    for (String labels : LABELS) {
      ApiResult answer =
          api.get(
              "/api/v1/namespaces/%s/pods?limit=10&labelSelector=%s&fieldSelector=%s"
                  .formatted(
                      PodProxy.encoded(namespace),
                      PodProxy.encoded(labels),
                      PodProxy.encoded("spec.nodeName=" + node)));
      if (answer.isForbidden()) {
        throw new PodProxy.ForbiddenException(
            "not allowed: it takes the right list on pods in namespace " + namespace);
      }
      if (!(answer instanceof Done(JsonNode list))) {
        throw new IOException(
            "the pods of %s cannot be listed: %s".formatted(namespace, answer.summary()));
      }
      for (JsonNode pod : list.path("items")) {
        if (pod.at("/status/phase").asText("Running").equals("Running")) {
          return pod.at("/metadata/name").asText();
        }
      }
    }
    throw new IOException(
        "no pod of probelet-agent in namespace %s runs on node %s".formatted(namespace, node));
  }

  /** Refuses what would be endless work for whoever shows it. */
  private static void check(String node, byte[] answer) throws IOException {
    try (JsonParser tokens = JSON.createParser(answer)) {
      int entries = 0;
      for (JsonToken token = tokens.nextToken(); token != null; token = tokens.nextToken()) {
        if (token.isStructStart() && ++entries > MAX_ENTRIES) {
          throw new IOException("more than " + MAX_ENTRIES + " objects and arrays");
        }
        if (token == JsonToken.VALUE_STRING && tokens.getTextLength() > MAX_TEXT) {
          throw new IOException("a text with more than " + MAX_TEXT + " characters");
        }
      }
    } catch (IOException hostile) {
      throw new IOException(
          "the agent of node %s answers what is refused: %s"
              .formatted(node, FleetText.of(String.valueOf(hostile.getMessage()), MAX_WHY)),
          hostile);
    }
  }
}
