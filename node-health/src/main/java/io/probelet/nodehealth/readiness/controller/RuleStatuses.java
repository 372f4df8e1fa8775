package io.probelet.nodehealth.readiness.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.RetryBackoff;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.WireTime;
import io.probelet.nodehealth.controller.ReconcileLoop;
import io.probelet.nodehealth.readiness.NodeReadinessRule;
import io.probelet.nodehealth.readiness.ReadinessNode;
import io.probelet.nodehealth.readiness.ReadinessSpec;
import io.probelet.nodehealth.readiness.RuleReport;
import io.probelet.nodehealth.readiness.RuleReport.Failure;
import io.probelet.nodehealth.readiness.controller.AdmissionReport.RuleState;
import io.probelet.nodehealth.readiness.controller.AdmissionReport.Treatment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sums up the rules and writes their statuses: all nodes of a rule in one write, at most every
 * {@link #INTERVAL}, only if it changed (NRR-6). Used only on the loop's thread.
 */
final class RuleStatuses {
  /** Minimum time between two writes of one status. */
  static final Duration INTERVAL = Duration.ofSeconds(5);

  /** Collects the first changes, such as all nodes of a new rule. */
  private static final Duration SETTLE = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(RuleStatuses.class);
  private static final RetryBackoff RETRY =
      new RetryBackoff(INTERVAL, 2, Duration.ofMinutes(2), 0.5);

  private final ReconcileLoop loop;
  private final ReadinessRequests requests;
  private final AdmissionEvents events;
  private final RuleTable rules;
  private final NodeTable nodes;
  private final TimeSource time;
  private final RandomGenerator random;
  private final Consumer<JsonNode> refreshed;
  private final Runnable passed;
  private long next;
  private boolean scheduled;
  private List<RuleState> states = List.of();

  /**
   * Prepares.
   *
   * @param refreshed receives a rule as it is after a write
   * @param passed runs after each pass
   */
  RuleStatuses(
      ReconcileLoop loop,
      ReadinessRequests requests,
      AdmissionEvents events,
      RuleTable rules,
      NodeTable nodes,
      TimeSource time,
      RandomGenerator random,
      Consumer<JsonNode> refreshed,
      Runnable passed) {
    this.loop = loop;
    this.requests = requests;
    this.events = events;
    this.rules = rules;
    this.nodes = nodes;
    this.time = time;
    this.random = random;
    this.refreshed = refreshed;
    this.passed = passed;
    next = time.nanoTime();
  }

  /** Schedules a pass over all rules. */
  void touch() {
    if (scheduled) {
      return;
    }
    scheduled = true;
    Duration rest = Duration.ofNanos(next - time.nanoTime());
    loop.postAfter(
        rest.compareTo(SETTLE) > 0 ? rest : SETTLE,
        () -> {
          scheduled = false;
          next = time.nanoTime() + INTERVAL.toNanos();
          pass();
          passed.run();
        });
  }

  /** {@return the rules as the last pass found them} */
  List<RuleState> states() {
    return states;
  }

  private void pass() {
    List<ReadinessNode> all = nodes.all().stream().map(NodeTable.Entry::node).toList();
    List<RuleState> found = new ArrayList<>();
    for (RuleTable.Entry entry : rules.all()) {
      ReadinessSpec spec = entry.rule().specOrNull();
      if (spec == null || !rules.isCarriedOut(entry)) {
        Treatment why = spec == null ? Treatment.INVALID : Treatment.BEYOND_LIMIT;
        found.add(new RuleState(entry.rule().name(), why, 0, 0, 0));
        continue;
      }
      RuleReport report =
          RuleReport.of(entry.rule(), spec, rules.set(), all, failures(entry.rule().name()));
      found.add(state(entry.rule(), spec, report));
      tell(entry, report);
      if (entry.isFree() && !entry.rule().deleting() && !report.status().equals(entry.written())) {
        write(entry, report);
      }
    }
    states = List.copyOf(found);
  }

  private Map<String, Failure> failures(String rule) {
    Map<String, Failure> failures = new HashMap<>();
    for (NodeTable.Entry entry : nodes.all()) {
      Failure failure = entry.failureOf(rule);
      if (failure != null) {
        failures.put(entry.node().name(), failure);
      }
    }
    return failures;
  }

  private static RuleState state(NodeReadinessRule rule, ReadinessSpec spec, RuleReport report) {
    Treatment treatment =
        spec.dryRun()
            ? Treatment.DRY_RUN
            : report.conflict().isEmpty() ? Treatment.ACTIVE : Treatment.CONFLICTING;
    return new RuleState(
        rule.name(), treatment, report.held(), report.released(), report.omitted());
  }

  private void tell(RuleTable.Entry entry, RuleReport report) {
    String conflict =
        report.conflict().isEmpty()
            ? ""
            : "rule %s has the same taint with another value or contrary conditions"
                .formatted(report.conflict());
    if (entry.tell(conflict)) {
      events.warnOf(entry.rule(), "ConflictingRule", conflict);
    }
    if (entry.truncates(report.omitted() > 0)) {
      events.warnOf(
          entry.rule(),
          "StatusTruncated",
          "the status leaves out the conditions of %d nodes".formatted(report.omitted()));
    }
  }

  private void write(RuleTable.Entry entry, RuleReport report) {
    entry.begin();
    ObjectNode status = report.status();
    requests.status(
        entry.rule(),
        report.statusAt(WireTime.seconds(time.wallTime())),
        (answer, now) -> written(entry, status, answer, now));
  }

  private void written(RuleTable.Entry entry, ObjectNode status, ApiResult answer, ApiResult now) {
    entry.end();
    if (!rules.isKnown(entry)) {
      return;
    }
    if (answer instanceof Done) {
      entry.succeeded();
      entry.wrote(status);
    } else if (!answer.isConflict()) {
      int failures = entry.failed();
      if (failures == 1) {
        LOG.warn(
            "status not written, retrying nodereadinessrule={} reason=\"{}\"",
            entry.rule().name(),
            answer.summary());
      }
      entry.begin();
      loop.postAfter(
          RETRY.delay(failures, random, answer.requestedWait().orElse(Duration.ZERO)),
          () -> {
            entry.end();
            touch();
          });
    }
    if (now instanceof Done(JsonNode body)) {
      refreshed.accept(body);
    }
    touch(); // a pass meanwhile has left this rule out
  }
}
