package io.probelet.agent.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.health.ShortText;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeListener.Published;
import io.probelet.probe.engine.RestartDecision;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a client is told. A field that does not belong to the type is left out.
 *
 * @param type Result, Container, Restart or RestartFailed
 * @param containerID the instance it is about, as the client named it
 * @param probe startup, readiness or liveness
 * @param result Success or Failure
 * @param message what the probe said, for people; at most {@link #MAX_MESSAGE} characters
 * @param ready whether the container takes traffic
 * @param started whether its startup probe, if any, has succeeded
 * @param gracePeriodSeconds from TERM to KILL
 * @param attempt of this restart, from 1
 * @param wholePod whether all containers of the pod are to be restarted
 */
@JsonInclude(Include.NON_NULL)
@JsonPropertyOrder({"type", "namespace", "pod", "uid", "container", "containerID"})
record ServedEvent(
    String type,
    String namespace,
    String pod,
    String uid,
    String container,
    String containerID,
    @Nullable String probe,
    @Nullable String result,
    @Nullable String message,
    @Nullable Boolean ready,
    @Nullable Boolean started,
    @Nullable Long gracePeriodSeconds,
    @Nullable Integer attempt,
    @Nullable Boolean wholePod) {
  static final int MAX_MESSAGE = 1024;

  static ServedEvent of(Published published) {
    PodRef pod = published.subject().pod();
    return new ServedEvent(
        "Result",
        pod.namespace(),
        pod.name(),
        pod.uid(),
        published.subject().container(),
        published.containerId(),
        lowerCase(published.subject().kind()),
        published.result() == ProbeResult.SUCCESS ? "Success" : "Failure",
        ShortText.of(published.message(), MAX_MESSAGE),
        null,
        null,
        null,
        null,
        null);
  }

  static ServedEvent of(ContainerStatus now) {
    return new ServedEvent(
        "Container",
        now.pod().namespace(),
        now.pod().name(),
        now.pod().uid(),
        now.name(),
        now.observation().id(),
        null,
        null,
        null,
        now.ready(),
        now.started(),
        null,
        null,
        null);
  }

  static ServedEvent restart(RestartDecision decision, int attempt) {
    return of("Restart", decision, decision.message(), attempt);
  }

  static ServedEvent restartFailed(RestartDecision decision, String why) {
    return of("RestartFailed", decision, why, null);
  }

  private static ServedEvent of(
      String type, RestartDecision decision, String message, @Nullable Integer attempt) {
    PodRef pod = decision.subject().pod();
    return new ServedEvent(
        type,
        pod.namespace(),
        pod.name(),
        pod.uid(),
        decision.subject().container(),
        decision.containerId(),
        lowerCase(decision.subject().kind()),
        null,
        ShortText.of(message, MAX_MESSAGE),
        null,
        null,
        decision.grace().toSeconds(),
        attempt,
        decision.restartsPod());
  }

  private static String lowerCase(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }
}
