package io.probelet.nodehealth.policy;

import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.expression.ExpressionResult.Decided;
import io.probelet.document.expression.ExpressionResult.Undecided;
import io.probelet.nodehealth.policy.PolicyAnswer.Allowed;
import io.probelet.nodehealth.policy.PolicyAnswer.Held;
import io.probelet.nodehealth.policy.PolicyFacts.State;
import io.probelet.nodehealth.policy.PolicyLimits.Spec;
import io.probelet.nodehealth.policy.PolicyRequest.Evaluated;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether remediations may start at one moment. All policies that select a node apply, and
 * the strictest wins (ACT-70). An invalid policy allows no remediation (ACT-71).
 *
 * <p>Used for one pass: a remediation that it allowed counts for the next requests ({@link
 * #begin}). It uses no clock and no API server; equal facts, moments and requests give equal
 * answers.
 */
public final class PolicyGate {
  /**
   * Maximum number of remediations in a policy's history. At the limit none may start until the
   * oldest is removed.
   */
  public static final int MAX_HISTORY = 1000;

  private final PolicyFacts facts;
  private final Instant now;
  private final Map<String, PolicyNode> atWork = new HashMap<>();
  private final Map<String, Integer> begun = new HashMap<>();
  private final Map<String, Optional<Held>> ofTheMoment = new HashMap<>();

  /** Creates a gate for one moment. */
  public PolicyGate(PolicyFacts facts, Instant now) {
    this.facts = facts;
    this.now = now;
    facts.atWork().forEach(node -> atWork.put(node.name(), node));
  }

  /** {@return whether there are no limits, so that no request is needed} */
  public boolean isOpen() {
    return facts.isEmpty();
  }

  /**
   * Requests a remediation.
   *
   * @return whether it may start now
   */
  public PolicyAnswer ask(PolicyRequest request) {
    if (facts.unknown() != null) {
      return new Held(new PolicyHold.Unknown(facts.unknown()), null);
    }
    Verdict verdict = new Verdict();
    List<String> countIn = new ArrayList<>();
    for (State state : facts.policies()) {
      if (request.node().isOf(state.policy())) {
        boolean counted = request.isCountedIn(state);
        askOne(state, request, counted, verdict);
        if (!counted) {
          countIn.add(state.policy().name());
        }
      }
    }
    return verdict.worst == null
        ? new Allowed(countIn, verdict.takesApproval)
        : new Held(verdict.worst, verdict.until);
  }

  /**
   * Records that a remediation starts, or would without a dry run; later requests take it into
   * account.
   */
  public void begin(PolicyRequest request) {
    atWork.put(request.node().name(), request.node());
    for (State state : facts.policies()) {
      if (request.node().isOf(state.policy()) && !request.isCountedIn(state)) {
        begun.merge(state.policy().name(), 1, Integer::sum);
      }
    }
  }

  /** The worst hold so far, the earliest end of all, and whether an approval was needed. */
  private static final class Verdict {
    private @Nullable PolicyHold worst;
    private @Nullable Instant until;
    private boolean takesApproval;

    void add(PolicyHold hold, @Nullable Instant end) {
      worst = PolicyHold.worse(worst, hold);
      if (end != null && (until == null || end.isBefore(until))) {
        until = end;
      }
    }
  }

  private void askOne(State state, PolicyRequest request, boolean counted, Verdict verdict) {
    ofTheMoment
        .computeIfAbsent(
            state.policy().name(), _ -> Optional.ofNullable(new PolicyMoment(state, now).hold()))
        .ifPresent(held -> verdict.add(held.why(), held.until()));
    if (!(state.policy().limits() instanceof Spec limits)) {
      return;
    }
    askState(state.policy().name(), limits, request, verdict);
    PolicyCounts counts = new PolicyCounts(state, limits, now);
    String name = state.policy().name();
    if (!counted) {
      askHistory(counts, request, verdict, begun.getOrDefault(name, 0));
    }
    if (!atWork.containsKey(request.node().name())) { // its next step adds no further node
      counts.nodes(request.node(), atWork.values()).ifPresent(hold -> verdict.add(hold, null));
      counts.zone(request.node(), atWork.values()).ifPresent(hold -> verdict.add(hold, null));
    }
    if (limits.dryRun()) {
      verdict.add(new PolicyHold.DryRun(name, request.node().name(), request.kind()), null);
    }
  }

  /** ACT-81: what cannot be decided holds back, too. */
  private void askState(String policy, Spec limits, PolicyRequest request, Verdict verdict) {
    CompiledExpression expression = limits.holdWhen();
    if (expression == null) {
      return;
    }
    String node = request.node().name();
    Evaluated evaluated = request.state().evaluate(expression, now);
    switch (evaluated.result()) {
      case Decided(boolean holds) -> {
        if (holds) {
          verdict.add(new PolicyHold.ByExpression(policy, node), evaluated.until());
        }
      }
      case Undecided(String why) ->
          verdict.add(new PolicyHold.Undecided(policy, node, why), evaluated.until());
    }
  }

  private static void askHistory(
      PolicyCounts counts, PolicyRequest request, Verdict verdict, int alsoBegun) {
    boolean approved = request.node().approved().contains(request.kind());
    Optional<Held> givenUp = counts.backstop(request.node().name(), request.kind());
    Optional<Held> waits = counts.approval(request);
    if (approved) { // the approver knows the history (ACT-75)
      verdict.takesApproval |= givenUp.isPresent() || waits.isPresent();
    } else {
      givenUp.ifPresent(held -> verdict.add(held.why(), held.until()));
      waits.ifPresent(held -> verdict.add(held.why(), held.until()));
    }
    counts.history(alsoBegun).ifPresent(held -> verdict.add(held.why(), held.until()));
    counts.hour(alsoBegun).ifPresent(held -> verdict.add(held.why(), held.until()));
  }
}
