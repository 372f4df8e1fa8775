package io.probelet.nodehealth.readiness.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.LineLimit;
import io.probelet.health.RetryBackoff;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.Metadata;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.ObjectFormat;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.controller.Expectations;
import io.probelet.nodehealth.controller.ObjectPatches;
import io.probelet.nodehealth.controller.ReconcileLoop;
import io.probelet.nodehealth.controller.ReconcileLoop.WatchFeed;
import io.probelet.nodehealth.readiness.NodeDecision;
import io.probelet.nodehealth.readiness.NodeDecision.Change;
import io.probelet.nodehealth.readiness.NodeReadinessRule;
import io.probelet.nodehealth.readiness.ReadinessDecider;
import io.probelet.nodehealth.readiness.ReadinessNode;
import io.probelet.nodehealth.readiness.ReadinessRuleReader;
import io.probelet.nodehealth.readiness.ReadinessSpec;
import io.probelet.nodehealth.readiness.RuleReport.Failure;
import io.probelet.nodehealth.readiness.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out NodeReadinessRules for one term of leadership. One loop knows all rules and all nodes
 * before it decides anything, and decides about a node with all rules at once. So neither the order
 * of events nor two writers of its own can leave a taint behind (NRR-2).
 */
public final class NodeReadinessController implements AutoCloseable {
  /** The name of the leader's lease. */
  public static final String LEASE = "probelet-node-readiness";

  private static final Logger LOG = LoggerFactory.getLogger(NodeReadinessController.class);

  /** Maximum number of concurrent writes to nodes. */
  private static final int MAX_REQUESTS = 16;

  /** Between tries to write a node, or the finalizers of a rule. */
  static final RetryBackoff RETRY =
      new RetryBackoff(Duration.ofMillis(200), 2, Duration.ofMinutes(1), 0.5);

  private static final String RULES = NodeReadinessRule.KIND;
  private static final String NODES = "Node";

  private final Leadership term;
  private final TimeSource time;
  private final RandomGenerator random;
  private final ReadinessListener listener;
  private final ReconcileLoop loop;
  private final AdmissionEvents events;
  private final ReadinessRequests requests;
  private final RuleStatuses statuses;
  private final RuleFinalizers finalizers;
  private final RuleTable rules = new RuleTable();
  private final NodeTable nodes = new NodeTable();
  private final Expectations expectations = new Expectations();
  private final LineLimit failureLines;

  /** Why a watch cannot show its objects; empty if it can, absent before the first list. */
  private final Map<String, String> watches = new HashMap<>();

  /** The watches that have shown all of their objects. */
  private final Set<String> listed = new HashSet<>();

  private String writeProblem = "";
  private int running;

  /**
   * Begins.
   *
   * @param thread where all is kept; to be closed with this
   */
  NodeReadinessController(
      ApiServer api,
      String identity,
      TimeSource time,
      RandomGenerator random,
      ReadinessListener listener,
      Leadership term,
      SerialLoop thread) {
    this.term = term;
    this.time = time;
    this.random = random;
    this.listener = listener;
    failureLines = new LineLimit(10, Duration.ofMinutes(1), time.nanoTime());
    loop = new ReconcileLoop(thread, time);
    events = new AdmissionEvents(api, term, time, random, identity, listener);
    requests = new ReadinessRequests(new ObjectPatches(api, term, loop));
    statuses =
        new RuleStatuses(
            loop,
            requests,
            events,
            rules,
            nodes,
            time,
            random,
            this::ruleNow,
            () -> listener.stands(standing()));
    finalizers =
        new RuleFinalizers(loop, requests, rules, nodes, random, this::ruleNow, this::refused);
    loop.start(this::work, () -> null);
    watch(
        api,
        RULES,
        Selection.all(NodeReadinessRule.KIND, ReadinessRequests.RULES),
        new ObjectFormat<>(
            NodeReadinessRule.API_VERSION,
            NodeReadinessRule.KIND,
            ReadinessRequests.RULE_FIELDS,
            ObjectLimits.USUAL,
            ReadinessRuleReader::read),
        this::ruleSeen,
        this::ruleGone);
    watch(
        api,
        NODES,
        Selection.all("Node", ReadinessRequests.NODES),
        new ObjectFormat<>(
            "v1", "Node", ReadinessRequests.NODE_FIELDS, ObjectLimits.USUAL, ReadinessNode::read),
        this::nodeSeen,
        this::nodeGone);
  }

  /**
   * Begins.
   *
   * @param api where everything is; no request takes longer than others wait for the lease
   * @param identity the unique name of this replica
   * @param random spreads retries; used by several threads
   * @param term for how long it may write
   * @return what was begun, to be closed at the end of the term
   */
  public static NodeReadinessController start(
      ApiServer api,
      String identity,
      TimeSource time,
      RandomGenerator random,
      ReadinessListener listener,
      Leadership term) {
    return new NodeReadinessController(
        api,
        identity,
        time,
        random,
        listener,
        term,
        ReconcileLoop.thread("node-readiness", time.threads()));
  }

  private <T> void watch(
      ApiServer api,
      String kind,
      Selection selection,
      Format<T> format,
      Consumer<Item<T>> changed,
      Consumer<Item<T>> gone) {
    loop.watch(
        api,
        selection,
        format,
        new WatchFeed<>(loop, kind, changed, gone, () -> watches(kind, "")) {
          @Override
          public void bookmarked() {
            listed();
          }

          @Override
          public void refused(String verb) {
            String right =
                "missing permission to %s objects of kind %s: apply deploy/node-readiness/access.yaml"
                    .formatted(verb, kind);
            loop.post(() -> watches(kind, right));
          }

          @Override
          public void unserved() {
            String missing =
                "the API server does not serve %s, see docs/how-to/node-admission.md"
                    .formatted(NodeReadinessRule.PLURAL);
            loop.post(() -> watches(kind, missing));
          }
        },
        random);
  }

  private void watches(String kind, String problem) {
    String before = watches.put(kind, problem);
    if (!problem.equals(before)) {
      if (problem.isEmpty()) {
        listed.add(kind);
        LOG.info("node readiness watch ready kind={}", kind);
      } else {
        LOG.warn("node readiness watch unavailable, retrying kind={} reason=\"{}\"", kind, problem);
      }
    }
  }

  private void ruleSeen(Item<NodeReadinessRule> item) {
    if (expectations.isNews(item.uid(), item.version())) {
      take(item.value());
    }
  }

  private void ruleGone(Item<NodeReadinessRule> item) {
    expectations.sawEnd(item.uid());
    if (rules.gone(item.value())) {
      nodes.touchAll();
      statuses.touch();
    }
  }

  /** Takes a rule as the response to our own request has it. */
  private void ruleNow(JsonNode body) {
    if (expectations.wrote(Metadata.uid(body), Metadata.version(body))) {
      take(ReadinessRuleReader.read(body));
    }
  }

  private void take(NodeReadinessRule rule) {
    RuleTable.Entry changed = rules.changed(rule);
    if (changed == null) {
      return;
    }
    if (changed.isNewSpec()) {
      if (rule.specOrNull() == null) {
        events.warnOf(rule, "InvalidRule", rule.refusal());
      }
      rule.spec()
          .flatMap(ReadinessSpec::evictionWarning)
          .ifPresent(text -> events.warnOf(rule, "NoExecuteTaint", text));
    }
    nodes.touchAll();
    statuses.touch();
  }

  private void nodeSeen(Item<ReadinessNode> item) {
    if (expectations.isNews(item.uid(), item.version())
        && nodes.changed(item.value(), item.version())) {
      statuses.touch();
    }
  }

  private void nodeGone(Item<ReadinessNode> item) {
    expectations.sawEnd(item.uid());
    nodes.gone(item.value());
    statuses.touch();
  }

  private void nodeNow(JsonNode body) {
    if (expectations.wrote(Metadata.uid(body), Metadata.version(body))
        && nodes.changed(ReadinessNode.read(body), Metadata.version(body))) {
      statuses.touch();
    }
  }

  /** NRR-2: a decision from an incomplete list may leave a taint for good. */
  private boolean knowsAll() {
    return listed.containsAll(List.of(RULES, NODES));
  }

  private void work() {
    if (!knowsAll() || !term.isOn()) {
      return;
    }
    finalizers.update();
    while (running < MAX_REQUESTS) {
      NodeTable.Entry next = nodes.poll();
      if (next == null) {
        return;
      }
      NodeDecision decision = ReadinessDecider.decide(rules.set(), next.node());
      if (decision.isEmpty()) {
        continue;
      }
      if (nodes.begin(next, time.nanoTime())) {
        running++;
        requests.node(
            next.node(),
            next.version(),
            decision,
            (answer, now) -> written(next, decision, answer, now));
      } else {
        pause(next, NodeTable.REFILL);
      }
    }
  }

  private void pause(NodeTable.Entry entry, Duration delay) {
    nodes.pause(entry);
    loop.postAfter(delay, () -> nodes.resume(entry));
  }

  private void written(
      NodeTable.Entry entry, NodeDecision decision, ApiResult answer, ApiResult now) {
    running--;
    if (!term.isOn()) { // the next leader reads the node again
      return;
    }
    if (now instanceof Done(JsonNode body)) {
      nodeNow(body);
    }
    if (answer instanceof Done) {
      entry.succeeded();
      writeProblem = "";
      events.written(entry.node().name(), decision);
      decision.changes().forEach(change -> listener.tainted(change.rule(), change.adds()));
      decision.completed().forEach(listener::bootstrapped);
    } else {
      int failures = entry.failed();
      if (!answer.isConflict()) {
        failed(entry, decision, answer);
      }
      // The node was read after the first conflict: retry at once.
      if (!answer.isConflict() || failures > 1) {
        pause(entry, RETRY.delay(failures, random, answer.requestedWait().orElse(Duration.ZERO)));
      }
    }
    nodes.end(entry);
  }

  private void failed(NodeTable.Entry entry, NodeDecision decision, ApiResult answer) {
    Set<String> because =
        Stream.concat(
                decision.changes().stream().map(Change::rule),
                Stream.concat(
                    decision.adopted().stream().map(Change::rule), decision.completed().stream()))
            .collect(Collectors.toUnmodifiableSet());
    String reason =
        decision.changes().isEmpty()
            ? "EvaluationError"
            : decision.changes().getFirst().adds() ? "AddTaintError" : "RemoveTaintError";
    because.forEach(rule -> listener.failed(rule, reason));
    refused(answer);
    if (entry.failed(new Failure(reason, answer.summary()), because)) {
      statuses.touch();
      failureLines
          .allow(time.nanoTime())
          .ifPresent(more ->
              LOG.warn(
                  "node not changed, retrying node={} reason=\"{}\" dropped={}",
                  entry.node().name(),
                  answer.summary(),
                  more));
    }
  }

  private void refused(ApiResult answer) {
    if (answer.isMissingPermission()) {
      writeProblem = answer.summary();
    }
  }

  /**
   * {@return how all rules stand}
   *
   * @throws java.util.concurrent.RejectedExecutionException after the end
   */
  public CompletableFuture<AdmissionReport> report() {
    return loop.ask(this::standing);
  }

  private AdmissionReport standing() {
    List<String> problems = new ArrayList<>();
    for (String kind : List.of(RULES, NODES)) {
      problems.add(watches.getOrDefault(kind, kind + " objects are still being listed"));
    }
    problems.add(writeProblem);
    if (!rules.set().complete()) {
      problems.add(
          "more than %d rules exist: the others are not carried out, and no taint is removed"
              .formatted(RuleSet.MAX_RULES));
    }
    if (nodes.isFull()) {
      problems.add(
          "more than %d nodes exist: the others are not handled".formatted(NodeTable.MAX_NODES));
    }
    rules.set().refused().stream()
        .sorted()
        .forEach(rule -> problems.add("rule " + rule + " is invalid, so its taints stay"));
    problems.removeIf(String::isEmpty);
    return new AdmissionReport(problems, statuses.states());
  }

  /** Stops without waiting for running requests, which write nothing after the term has ended. */
  @Override
  public void close() {
    loop.close();
    events.close();
    listener.retired();
  }
}
