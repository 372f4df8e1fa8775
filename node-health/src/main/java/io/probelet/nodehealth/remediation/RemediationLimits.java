package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.policy.PolicyAnswer;
import io.probelet.nodehealth.policy.PolicyGate;
import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.nodehealth.policy.PolicyNode;
import io.probelet.nodehealth.policy.PolicyRequest;
import io.probelet.nodehealth.remediation.Plan.PlanDraft;
import io.probelet.nodehealth.remediation.RemediationAction.CountRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.TakeApproval;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** Applies RemediationPolicies to a remediation that nothing else holds back (ACT-70). */
final class RemediationLimits {
  /** If the moment is unknown, because a remediation of another NodeHealthCheck must end first. */
  private static final Duration RECHECK = Duration.ofMinutes(1);

  /** A failed creation is retried within seconds; later it counts as a new one. */
  private static final Duration SAME_TRY = Duration.ofMinutes(10);

  private final ClusterView view;
  private final PlanDraft draft;
  private final Instant now;
  private final PolicyGate gate;

  RemediationLimits(ClusterView view, PlanDraft draft, Instant now) {
    this.view = view;
    this.draft = draft;
    this.now = now;
    this.gate = new PolicyGate(view.policies(), now);
  }

  /**
   * Records why a remediation is held back, or what must be written before it is created.
   *
   * @return the resource to create; empty if it is held back
   */
  Optional<RemediationDraft> admit(NodeFacts node, RemediationDraft wanted) {
    if (gate.isOpen()) { // without a policy nothing changes
      return Optional.of(wanted);
    }
    PastRemediation entry = entry(node.name(), wanted.kind());
    boolean again = view.unseen().counted().containsValue(entry);
    PolicyRequest request =
        new PolicyRequest(
            node.forPolicies(), node::evaluate, wanted.kind(), again ? entry.time() : null);
    return switch (gate.ask(request)) {
      case PolicyAnswer.Held(PolicyHold why, Instant until) -> {
        draft.holdByPolicy(node.name(), why);
        draft.wakeAt(until == null ? now.plus(RECHECK) : until);
        if (why instanceof PolicyHold.DryRun) { // ACT-80: the next decisions count it
          gate.begin(request);
        }
        yield Optional.empty();
      }
      case PolicyAnswer.Allowed allowed -> {
        gate.begin(request);
        for (String policy : allowed.countIn()) {
          draft.act(new CountRemediation(node.name(), policy, entry));
        }
        if (allowed.takesApproval()) {
          String annotated = Objects.requireNonNull(node.approved());
          draft.act(
              new TakeApproval(
                  node.name(), annotated, PolicyNode.approvalsWithout(annotated, wanted.kind())));
        }
        boolean limited = again || !allowed.countIn().isEmpty();
        yield Optional.of(limited ? wanted.countedAt(entry.time()) : wanted);
      }
    };
  }

  /** The same time as before a failed creation, so that it counts once. */
  private PastRemediation entry(String node, String kind) {
    PastRemediation before = view.unseen().counted().get(node);
    return before != null
            && before.kind().equals(kind)
            && before.time().isAfter(now.minus(SAME_TRY))
        ? before
        : new PastRemediation(node, kind, now);
  }
}
