package io.probelet.agent.cluster.publish;

import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.restart.KeptListener;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.event.ApiEvent;
import io.probelet.kube.event.EventRecorder;
import io.probelet.kube.event.EventSource;
import io.probelet.kube.event.InvolvedObject;
import io.probelet.manifest.pod.ReadinessGates;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.web.metrics.EventMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** D-6: records on pods, by Events in the kubelet's words, what comes of their probes. */
public final class PodEvents implements ProbeListener, KeptListener, AutoCloseable {
  private final EventRecorder events;
  private @Nullable EventMetrics counted;
  private final KnownPods pods;

  /** Creates a teller that has not begun. */
  public PodEvents(
      ApiServer api, String node, KnownPods pods, TimeSource time, RandomGenerator random) {
    this.events = new EventRecorder(api, EventSource.agent(node), time, random, () -> true);
    this.pods = pods;
  }

  /**
   * Begins to write.
   *
   * @param metrics counts what is written and what is not
   */
  public void start(MeterRegistry metrics) {
    counted = new EventMetrics(metrics, "pod");
    counted.show(events);
    events.start();
  }

  @Override
  public void probed(Probed probe) {
    ProbeEvent.of(probe.subject().kind(), probe.outcome().verdict())
        .ifPresent(event -> record(probe.subject(), event, false));
  }

  @Override
  public void discarded(Discarded discarded) {
    if (discarded.first()) {
      record(
          discarded.subject(),
          new ProbeEvent("Warning", "ProbesHeldBack", discarded.message()),
          false);
    }
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    record(decision.subject(), decision.event(), true);
  }

  /**
   * Records that a preStop hook failed; the container is stopped all the same.
   *
   * @param why not recorded: what a server answered may be a secret
   */
  public void preStopFailed(RestartDecision decision, String why) {
    record(decision.subject(), ProbeEvent.preStopFailed(), false);
  }

  @Override
  public void kept(RestartDecision decision, String reason, String message) {
    record(decision.subject(), new ProbeEvent("Warning", reason, message), false);
  }

  /**
   * Records why the agent stopped a container.
   *
   * @param pod its pod
   * @param container its name
   * @param cause in one or two sentences
   */
  public void cause(PodRef pod, String container, String cause) {
    record(pod, container, "", new ProbeEvent("Normal", "RestartCause", cause), false);
  }

  /** A pod that cannot be removed stays, and its author can resolve that. */
  @Override
  public void stopFailed(RestartDecision decision, String why, Duration retryAfter) {
    record(
        decision.subject(),
        decision.event().reason().equals(ProbeEvent.KILLING)
            ? new ProbeEvent("Warning", "FailedKillPod", "error killing pod: " + why)
            : new ProbeEvent("Warning", "FailedEviction", "Eviction refused, retrying: " + why),
        false);
  }

  /**
   * Records errors in a pod's annotations, requests that are not allowed, and a missing readiness
   * gate.
   */
  public void invalid(ClusterPod pod) {
    record(pod, "InvalidProbeAnnotation", pod.problems());
    record(pod, "ProbeAnnotationWarning", pod.warnings());
    record(pod, "ReadinessGateMissing", missingGate(pod));
  }

  /**
   * Records what becomes of a pod's readiness gate.
   *
   * @param reason of the event
   */
  public void readiness(ClusterPod pod, String reason, String message) {
    record(pod, reason, List.of(message));
  }

  /** D-20: one sentence, however many containers there are. */
  private static List<String> missingGate(ClusterPod pod) {
    List<String> containers = pod.gate().missingFor();
    if (containers.isEmpty()) {
      return List.of();
    }
    String more = containers.size() == 1 ? "" : " (and %d more)".formatted(containers.size() - 1);
    return List.of(ReadinessGates.missing(containers.getFirst()) + more);
  }

  private void record(ClusterPod pod, String reason, List<String> texts) {
    if (!texts.isEmpty()) {
      ProbeEvent event = new ProbeEvent("Warning", reason, String.join("; ", texts));
      record(pod.ref(), "", "", event, false);
    }
  }

  /** A pod, or the container of it that is meant; empty for the whole. */
  static InvolvedObject involved(ClusterPod pod, String container) {
    PodRef ref = pod.apiRef();
    String fieldPath = container.isEmpty() ? "" : pod.fieldPath(container);
    return InvolvedObject.pod(ref.namespace(), ref.name(), ref.uid(), fieldPath);
  }

  private void record(ProbeSubject subject, ProbeEvent event, boolean urgent) {
    record(subject.pod(), subject.container(), subject.kind().label(), event, urgent);
  }

  private void record(
      PodRef ref, String container, String about, ProbeEvent event, boolean urgent) {
    Optional<ClusterPod> pod = pods.find(ref);
    if (pod.isEmpty()) {
      return; // an event needs an object that it is about
    }
    events.record(
        new ApiEvent(
            involved(pod.get(), container),
            EventSource.PROBELET,
            event.type(),
            event.reason(),
            about,
            event.message(),
            urgent));
  }

  /**
   * Records that a pod is gone. A pod whose annotation was edited is not, and its budget stays as
   * it is.
   *
   * @param pod as it was last
   */
  public void removed(ClusterPod pod) {
    events.gone(involved(pod, ""));
  }

  /** Writes what has not been written, for two seconds at most, and ends. */
  @Override
  public void close() {
    events.close();
  }
}
