package io.probelet.nodehealth.workloads.controller;

import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.event.ApiEvent;
import io.probelet.kube.event.EventRecorder;
import io.probelet.kube.event.EventSource;
import io.probelet.kube.event.InvolvedObject;
import io.probelet.nodehealth.workloads.WorkloadNode;
import io.probelet.nodehealth.workloads.WorkloadNode.Shown;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records what was decided about nodes, as Events and in the log. */
final class EvidenceEvents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EvidenceEvents.class);
  private static final String TRUE = "True";

  private final EventRecorder events;

  EvidenceEvents(
      ApiServer api,
      Leadership term,
      TimeSource time,
      RandomGenerator random,
      String identity,
      EvidenceListener listener) {
    EventSource source = EventSource.leader(EventSource.PROBELET, identity);
    events = new EventRecorder(api, source, time, random, term::isOn);
    events.start();
    listener.records(events);
  }

  /**
   * Reports a condition that was written.
   *
   * @param before the condition so far; null if there was none
   */
  void written(WorkloadNode node, @Nullable Shown before, Shown now) {
    boolean failed = before != null && before.status().equals(TRUE);
    boolean fails = now.status().equals(TRUE);
    if (failed == fails) {
      return;
    }
    String name = node.name();
    if (fails) {
      LOG.warn("workloads failing node={} reason=\"{}\"", name, now.message());
      about(name, "WorkloadsFailing", ApiEvent.WARNING, now.message());
    } else {
      LOG.info("workloads no longer failing node={} status={}", name, now.status());
      String message = "Condition WorkloadsFailing is " + now.status();
      about(name, "WorkloadsNoLongerFailing", ApiEvent.NORMAL, message);
    }
  }

  private void about(String node, String reason, String type, String message) {
    events.record(
        new ApiEvent(
            InvolvedObject.node(node, ""), EventSource.PROBELET, type, reason, "", message, false));
  }

  @Override
  public void close() {
    events.close();
  }
}
