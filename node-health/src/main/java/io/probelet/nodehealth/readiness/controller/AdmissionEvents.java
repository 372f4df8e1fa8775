package io.probelet.nodehealth.readiness.controller;

import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.event.ApiEvent;
import io.probelet.kube.event.EventRecorder;
import io.probelet.kube.event.EventSource;
import io.probelet.kube.event.InvolvedObject;
import io.probelet.nodehealth.readiness.NodeDecision;
import io.probelet.nodehealth.readiness.NodeDecision.Change;
import io.probelet.nodehealth.readiness.NodeReadinessRule;
import io.probelet.nodehealth.readiness.TaintId;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records what happens, as Events with the original's reasons, and in the log. */
final class AdmissionEvents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionEvents.class);

  private final EventRecorder events;

  AdmissionEvents(
      ApiServer api,
      Leadership term,
      TimeSource time,
      RandomGenerator random,
      String identity,
      ReadinessListener listener) {
    EventSource source = EventSource.leader(EventSource.PROBELET, identity);
    events = new EventRecorder(api, source, time, random, term::isOn);
    events.start();
    listener.records(events);
  }

  /** Reports what was written to a node. */
  void written(String node, NodeDecision decision) {
    for (Change change : decision.changes()) {
      String taint = TaintId.of(change.taint()).toString();
      String rule = change.rule();
      if (change.adds()) {
        LOG.info("taint added node={} nodereadinessrule={} taint={}", node, rule, taint);
        about(node, "TaintAdded", rule, "Taint %s added by rule %s".formatted(taint, rule));
      } else {
        LOG.info("taint removed node={} nodereadinessrule={} taint={}", node, rule, taint);
        String why = rule.isEmpty() ? "as no rule needs it" : "by rule " + rule;
        about(node, "TaintRemoved", rule, "Taint %s removed %s".formatted(taint, why));
      }
    }
    for (Change change : decision.adopted()) {
      String taint = TaintId.of(change.taint()).toString();
      LOG.info("taint adopted node={} nodereadinessrule={} taint={}", node, change.rule(), taint);
      about(
          node,
          "TaintAdopted",
          change.rule(),
          "Taint %s is now managed by rule %s".formatted(taint, change.rule()));
    }
    for (String rule : decision.completed()) {
      LOG.info("bootstrap completed node={} nodereadinessrule={}", node, rule);
      about(node, "BootstrapCompleted", rule, "Bootstrap completed by rule " + rule);
    }
  }

  private void about(String node, String reason, String rule, String message) {
    record(InvolvedObject.node(node, ""), ApiEvent.NORMAL, reason, rule, message);
  }

  /** Reports a problem of a rule. */
  void warnOf(NodeReadinessRule rule, String reason, String message) {
    LOG.warn(
        "rule problem nodereadinessrule={} event={} reason=\"{}\"", rule.name(), reason, message);
    record(
        InvolvedObject.clusterScoped(
            NodeReadinessRule.API_VERSION, NodeReadinessRule.KIND, rule.name(), rule.uid()),
        ApiEvent.WARNING,
        reason,
        "",
        message);
  }

  private void record(
      InvolvedObject about, String type, String reason, String key, String message) {
    events.record(new ApiEvent(about, EventSource.PROBELET, type, reason, key, message, false));
  }

  @Override
  public void close() {
    events.close();
  }
}
