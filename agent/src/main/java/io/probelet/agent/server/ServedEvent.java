package io.probelet.agent.server;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.health.ShortText;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeListener.Published;
import io.probelet.probe.engine.RestartDecision;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a client is told.
 *
 * @param type Result, Container, Restart, RestartFailed or Exec
 * @param containerID the instance it is about, as the client named it, without the runtime's scheme
 * @param details the fields of the type, in order
 */
@JsonPropertyOrder({"type", "namespace", "pod", "uid", "container", "containerID"})
record ServedEvent(
    String type,
    String namespace,
    String pod,
    String uid,
    String container,
    String containerID,
    @JsonAnyGetter Map<String, Object> details) {
  /** Characters of a message, which is for people. */
  static final int MAX_MESSAGE = 1024;

  private static final double MILLIS_PER_SECOND = 1000;

  private static ServedEvent of(
      String type, PodRef pod, String container, String id, Map<String, Object> details) {
    return new ServedEvent(type, pod.namespace(), pod.name(), pod.uid(), container, id, details);
  }

  /** The result of a probe changed. */
  static ServedEvent of(Published published) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("probe", published.subject().kind().name().toLowerCase(Locale.ROOT));
    details.put("result", published.result() == ProbeResult.SUCCESS ? "Success" : "Failure");
    details.put("message", ShortText.of(published.message(), MAX_MESSAGE));
    return of(
        "Result",
        published.subject().pod(),
        published.subject().container(),
        published.containerId(),
        details);
  }

  /** A container's ready or started changed. */
  static ServedEvent of(ContainerStatus now) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("ready", now.ready());
    details.put("started", now.started());
    return of("Container", now.pod(), now.name(), now.observation().id(), details);
  }

  /** A container has to be restarted. */
  static ServedEvent restart(RestartDecision decision, int attempt) {
    Map<String, Object> details = restart(decision, decision.message());
    details.put("attempt", attempt);
    return of("Restart", decision, details);
  }

  /** A container was not restarted in time. */
  static ServedEvent restartFailed(RestartDecision decision, String why) {
    return of("RestartFailed", decision, restart(decision, why));
  }

  private static Map<String, Object> restart(RestartDecision decision, String message) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("probe", decision.subject().kind().name().toLowerCase(Locale.ROOT));
    details.put("message", ShortText.of(message, MAX_MESSAGE));
    details.put("gracePeriodSeconds", decision.grace().toSeconds());
    details.put("wholePod", decision.restartsPod());
    return details;
  }

  private static ServedEvent of(
      String type, RestartDecision decision, Map<String, Object> details) {
    return of(
        type,
        decision.subject().pod(),
        decision.subject().container(),
        decision.containerId(),
        details);
  }

  /** A command has to be run in a container. */
  static ServedEvent command(
      long id,
      PodRef pod,
      String container,
      String instance,
      List<String> command,
      Duration timeout) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("id", id);
    details.put("command", command);
    details.put("timeoutSeconds", timeout.toMillis() / MILLIS_PER_SECOND);
    return of("Exec", pod, container, instance, details);
  }
}
