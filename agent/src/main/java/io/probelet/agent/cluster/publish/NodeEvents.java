package io.probelet.agent.cluster.publish;

import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.event.ApiEvent;
import io.probelet.kube.event.EventRecorder;
import io.probelet.kube.event.EventSource;
import io.probelet.kube.event.InvolvedObject;
import io.probelet.monitor.node.MonitorListener;
import io.probelet.monitor.node.NodeEvent;
import io.probelet.monitor.track.PodTrace;
import io.probelet.web.metrics.EventMetrics;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Records as events of the Node what its monitors see, and as events of the affected
 * pod, where that is known (B-10). They have a book of their own: a log that overflows costs no pod
 * its events.
 */
public final class NodeEvents implements MonitorListener, AutoCloseable {
  private final EventRecorder events;
  private @Nullable EventMetrics counted;
  private final InvolvedObject node;
  private final KnownPods pods;

  /**
   * Creates a teller that has not begun.
   *
   * @param namespace where those about the Node are; empty for the usual namespace
   */
  public NodeEvents(
      ApiServer api,
      String node,
      String namespace,
      KnownPods pods,
      TimeSource time,
      RandomGenerator random) {
    this.pods = pods;
    this.events = new EventRecorder(api, EventSource.agent(node), time, random, () -> true);
    this.node = InvolvedObject.node(node, namespace);
  }

  /**
   * Begins to write.
   *
   * @param metrics counts what is written and what is not
   */
  public void start(MeterRegistry metrics) {
    counted = new EventMetrics(metrics, "node");
    counted.show(events);
    events.start();
  }

  /** Two victims of the same cause are two events: the texts distinguish them. */
  @Override
  public void happened(NodeEvent event) {
    PodTrace victim = event.pod();
    Optional<ClusterPod> pod =
        victim == null ? Optional.empty() : pods.ofCgroup(victim.podUid(), victim.containerId());
    if (victim == null || pod.isEmpty()) {
      record(node, event, event.message());
      return;
    }
    // B-10: the pod's owner wants to know which one
    String container = container(pod.get(), victim);
    record(node, event, event.messageIn(named(pod.get(), container, victim)));
    record(PodEvents.involved(pod.get(), container), event, event.message());
  }

  /** Its name; empty if the API server has not reported it. */
  private static String container(ClusterPod pod, PodTrace victim) {
    return pod.reported().containers().entrySet().stream()
        .filter(each -> each.getValue().id().equals(victim.containerId()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  /** Who reads of the Node only knows nobody by a uid. */
  private static String named(ClusterPod pod, String container, PodTrace victim) {
    String whose = pod.ref().namespace() + "/" + pod.ref().name() + " (" + victim.podUid() + ")";
    return (container.isEmpty() ? "" : "container " + container + " of ") + "pod " + whose;
  }

  private void record(InvolvedObject object, NodeEvent event, String message) {
    events.record(
        new ApiEvent(
            object,
            event.source(),
            event.problem() ? ApiEvent.WARNING : ApiEvent.NORMAL,
            event.reason(),
            event.source() + " " + message,
            message,
            false));
  }

  /** Writes what has not been written, for two seconds at most, and ends. */
  @Override
  public void close() {
    events.close();
  }
}
