package io.probelet.fleet;

import io.probelet.fleet.FleetRemediation.State;
import io.probelet.kube.WireTime;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.remediator.resource.RemediationPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Assigns remediations to their steps. */
final class FleetRemediations {
  private final Map<String, NodeHealthCheck> checks = new HashMap<>();

  private FleetRemediations(List<CheckPlan> plans) {
    plans.forEach(plan -> checks.put(plan.check().name(), plan.check()));
  }

  /** {@return those that exist and those that are listed only, newest first} */
  static List<FleetRemediation> of(FleetFacts facts, List<CheckPlan> plans) {
    FleetRemediations found = new FleetRemediations(plans);
    List<FleetRemediation> all = new ArrayList<>();
    Set<ObjectRef> seen = new HashSet<>();
    for (RemediationReading reading : facts.remediations()) {
      seen.add(reading.observed().ref());
      all.add(found.existing(reading));
    }
    for (CheckReading check : facts.checks()) {
      for (UnhealthyNode node : check.status().unhealthyNodes()) {
        for (TrackedRemediation tracked : node.remediations()) {
          if (!seen.contains(tracked.resource())) {
            all.add(found.listed(check.name(), node.name(), tracked));
          }
        }
      }
    }
    all.sort(
        Comparator.comparing(FleetRemediation::started)
            .reversed()
            .thenComparing(FleetRemediation::node)
            .thenComparing(FleetRemediation::kind));
    return List.copyOf(all);
  }

  private FleetRemediation existing(RemediationReading reading) {
    ObservedRemediation observed = reading.observed();
    String check =
        observed.owners().stream()
            .filter(owner -> owner.kind().equals(NodeHealthCheck.KIND))
            .map(owner -> FleetText.of(owner.name(), FleetText.NAME))
            .findFirst()
            .orElse("");
    String template = observed.annotations().getOrDefault(WireNames.TEMPLATE_NAME, "");
    Instant timedOut = WireTime.read(observed.annotations().getOrDefault(WireNames.TIMED_OUT, ""));
    return remediation(
        observed.ref(),
        observed.nodeName(),
        check,
        template,
        observed.created(),
        timedOut,
        state(reading, timedOut),
        reading);
  }

  private FleetRemediation listed(String check, String node, TrackedRemediation tracked) {
    return remediation(
        tracked.resource(),
        node,
        check,
        Objects.requireNonNullElse(tracked.templateName(), ""),
        tracked.started(),
        tracked.timedOut(),
        tracked.timedOut() == null ? State.NOT_SEEN : State.TIMED_OUT,
        null);
  }

  private FleetRemediation remediation(
      ObjectRef ref,
      String node,
      String check,
      String template,
      Instant started,
      @Nullable Instant timedOut,
      State state,
      @Nullable RemediationReading reading) {
    NodeHealthCheck owner = checks.get(check);
    List<RemediationStep> steps = owner == null ? List.of() : owner.spec().steps();
    int step = step(steps, ref, template);
    RemediationStep own = step == 0 ? null : steps.get(step - 1);
    return new FleetRemediation(
        FleetText.of(ref.kind(), FleetText.WORD),
        ref.namespace() == null ? "" : FleetText.of(ref.namespace(), FleetText.NAME),
        FleetText.of(ref.name(), FleetText.NAME),
        FleetText.of(node, FleetText.NAME),
        check,
        FleetText.of(template, FleetText.NAME),
        step,
        steps.size(),
        started,
        timedOut,
        own == null || own.timeout() == null || timedOut != null
            ? null
            : started.plus(own.timeout()),
        state,
        reading == null ? "" : reading.phase(),
        reading == null ? null : reading.phaseSince(),
        reading == null ? "" : reading.message(),
        reading == null ? List.of() : reading.conditions(),
        reading == null ? null : reading.evidence());
  }

  private static int step(List<RemediationStep> steps, ObjectRef ref, String template) {
    for (int i = 0; i < steps.size(); i++) {
      RemediationStep step = steps.get(i);
      if (step.remediationKind().equals(ref.kind())
          && step.template().apiVersion().equals(ref.apiVersion())
          && (template.isEmpty() || step.template().name().equals(template))) {
        return i + 1;
      }
    }
    return 0;
  }

  private static State state(RemediationReading reading, @Nullable Instant timedOut) {
    if (reading.observed().deleting()) {
      return State.ENDING;
    }
    if (timedOut != null) {
      return State.TIMED_OUT;
    }
    if (reading.observed().succeeded() == Success.NO) {
      return State.FAILED;
    }
    if (reading.observed().succeeded() == Success.YES) {
      return State.SUCCEEDED;
    }
    return reading.phase().equals(RemediationPhase.HELD.label()) ? State.HELD : State.AT_WORK;
  }
}
