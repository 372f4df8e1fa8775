package io.probelet.agent.server;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.PodObjects;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.HistoryQuery;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ViewJson;
import io.probelet.web.http.Containers;
import io.probelet.web.http.ObjectsResource;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.BadRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /v1/pods}: the pods of the clients, how they are, and the restarts that are pending. */
final class PodsRoute implements ObjectsResource {
  private static final int TOO_MANY = 429;

  private final String instance;
  private final PodObjects reader;
  private final ServedPods pods;
  private final Containers containers;
  private final EventBuffer events;
  private final PendingRestarts restarts;
  private final PendingCommands commands;

  /**
   * The answer to GET.
   *
   * @param instance of the server; another one knows no pods and has other numbers
   * @param sequence the number of the last event before this was read
   * @param containers as {@code /api/v1/containers} has them
   * @param restarts that are pending
   * @param execs commands that wait for their answer
   */
  @JsonPropertyOrder({"instance", "sequence", "pods", "containers", "restarts", "execs"})
  record State(
      String instance,
      long sequence,
      List<Pod> pods,
      List<ContainerView> containers,
      List<ServedEvent> restarts,
      List<ServedEvent> execs) {}

  /** A pod that is probed. */
  @JsonPropertyOrder({"namespace", "pod", "uid"})
  record Pod(String namespace, String pod, String uid) {}

  /**
   * The answer to PUT.
   *
   * @param probes that the pod has now
   * @param problems invalid parts, which are left out
   * @param warnings parts with less effect than they seem to have
   */
  @JsonPropertyOrder({"probes", "problems", "warnings"})
  record Taken(int probes, List<String> problems, List<String> warnings) {}

  /** The answer to a request that is refused. */
  record Refused(String error) {}

  PodsRoute(
      String instance,
      PodObjects reader,
      ServedPods pods,
      Containers containers,
      EventBuffer events,
      PendingRestarts restarts,
      PendingCommands commands) {
    this.instance = instance;
    this.reader = reader;
    this.pods = pods;
    this.containers = containers;
    this.events = events;
    this.restarts = restarts;
    this.commands = commands;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    long sequence = events.last(); // before the state: an event may be repeated, never lost
    List<ContainerView> views =
        containers.views(HistoryQuery.outcomes(0), (pod, _) -> pods.has(pod)).stream()
            .map(ContainerView::brief)
            .toList();
    List<Pod> known =
        pods.all().stream()
            .map(each -> new Pod(each.namespace(), each.name(), each.uid()))
            .toList();
    return json(200, new State(instance, sequence, known, views, restarts.all(), commands.all()));
  }

  @Override
  public Answer put(byte[] body) throws BadRequest {
    ClusterPod pod;
    try {
      pod = reader.read(body);
    } catch (IllegalArgumentException invalid) {
      throw new BadRequest(String.valueOf(invalid.getMessage()));
    }
    Optional<String> full = pods.put(pod, body.length);
    if (full.isPresent()) {
      return refused(TOO_MANY, full.get());
    }
    restarts.observed(pod.reported());
    int probes = pod.probed().containers().stream().mapToInt(each -> each.probes().size()).sum();
    return json(200, new Taken(probes, pod.problems(), pod.warnings()));
  }

  @Override
  public Answer delete(Map<String, List<String>> query) throws BadRequest {
    PodRef pod;
    try {
      pod = new PodRef(value(query, "namespace"), value(query, "name"), value(query, "uid"));
    } catch (IllegalArgumentException incomplete) {
      throw new BadRequest("namespace, name and uid are required");
    }
    if (!pods.remove(pod)) {
      return refused(404, "no such pod");
    }
    restarts.removed(pod);
    return json(200, Map.of());
  }

  private static String value(Map<String, List<String>> query, String name) {
    return query.getOrDefault(name, List.of("")).getLast();
  }

  /** {@return an answer to a request that is refused} */
  static Answer refused(int status, String error) {
    return json(status, new Refused(error));
  }

  private static Answer json(int status, Object content) {
    return Answer.of(status, Resource.JSON, ViewJson.write(content) + "\n");
  }
}
