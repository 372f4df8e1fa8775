package io.probelet.nodehealth.readiness.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.nodehealth.controller.ReconcileLoop;
import io.probelet.nodehealth.readiness.NodeReadinessRule;
import io.probelet.nodehealth.readiness.ReadinessDecider;
import io.probelet.nodehealth.readiness.RuleSet;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a rule until its taints are gone, even if this controller stops (NRR-8). Used only on the
 * loop's thread.
 */
final class RuleFinalizers {
  private static final Logger LOG = LoggerFactory.getLogger(RuleFinalizers.class);

  private final ReconcileLoop loop;
  private final ReadinessRequests requests;
  private final RuleTable rules;
  private final NodeTable nodes;
  private final RandomGenerator random;
  private final Consumer<JsonNode> refreshed;
  private final Consumer<ApiResult> refused;

  /**
   * Prepares.
   *
   * @param refreshed receives a rule as it is after a write
   * @param refused receives the response to a write that failed
   */
  RuleFinalizers(
      ReconcileLoop loop,
      ReadinessRequests requests,
      RuleTable rules,
      NodeTable nodes,
      RandomGenerator random,
      Consumer<JsonNode> refreshed,
      Consumer<ApiResult> refused) {
    this.loop = loop;
    this.requests = requests;
    this.rules = rules;
    this.nodes = nodes;
    this.random = random;
    this.refreshed = refreshed;
    this.refused = refused;
  }

  /** Adds our finalizer to rules that lack it, and removes it from those whose taints are gone. */
  void update() {
    for (RuleTable.Entry entry : rules.all()) {
      NodeReadinessRule rule = entry.rule();
      boolean adds = !rule.deleting() && !rule.hasFinalizer() && rule.specOrNull() != null;
      if (entry.isFree()
          && (adds || (rule.deleting() && rule.hasFinalizer() && isClean(rule.taintOrNull())))) {
        entry.begin();
        requests.finalizer(rule, adds, (answer, now) -> answered(entry, answer, now));
      }
    }
  }

  private boolean isClean(@Nullable NodeTaint taint) {
    RuleSet all = rules.set();
    return taint == null
        || (!all.holds(taint)
            && nodes
                .unsettled()
                .noneMatch(node -> ReadinessDecider.decide(all, node.node()).removes(taint)));
  }

  private void answered(RuleTable.Entry entry, ApiResult answer, ApiResult now) {
    if (now instanceof Done(JsonNode body)) {
      refreshed.accept(body);
    }
    if (answer instanceof Done) {
      entry.succeeded();
      entry.end();
      return;
    }
    int failures = entry.failed();
    if (failures == 1 && !answer.isConflict() && !answer.isNotFound()) {
      LOG.warn(
          "finalizer not changed, retrying nodereadinessrule={} reason=\"{}\"",
          entry.rule().name(),
          answer.summary());
    }
    refused.accept(answer);
    loop.postAfter(
        NodeReadinessController.RETRY.delay(
            failures, random, answer.requestedWait().orElse(Duration.ZERO)),
        entry::end);
  }
}
