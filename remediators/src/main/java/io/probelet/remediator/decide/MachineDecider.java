package io.probelet.remediator.decide;

import io.probelet.health.GoDuration;
import io.probelet.remediator.decide.Action.Annotate;
import io.probelet.remediator.decide.Action.RemoveAnnotation;
import io.probelet.remediator.resource.MachineSpec;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import java.time.Duration;
import java.util.Optional;

/**
 * Marks the node's Machine, so that its MachineHealthCheck has it replaced, and waits until it is
 * gone (ACT-53, ACT-54).
 */
public final class MachineDecider implements Decider<MachineSpec, ObservedMachine> {
  /** A Machine is not watched; those that are replaced take minutes. */
  private static final Duration SOON = Duration.ofSeconds(15);

  /** Keeps nothing. */
  public MachineDecider() {}

  @Override
  public Step next(Situation<MachineSpec, ObservedMachine> situation) {
    boolean marked = situation.status().phase() == RemediationPhase.WAITING;
    return switch (situation.observed()) {
      case ObservedMachine.Unknown(String why) -> failed(situation, "MachineUnknown", why);
      case ObservedMachine.Missing(String name) ->
          marked
              ? Step.of(
                  situation.status().succeeded("the Machine " + name + " is gone", situation.now()))
              : failed(situation, "MachineNotFound", "there is no Machine " + name);
      case ObservedMachine.Found found -> marked ? wait(situation, found) : mark(situation, found);
    };
  }

  private static Step failed(
      Situation<MachineSpec, ObservedMachine> situation, String reason, String why) {
    return Step.of(situation.status().failed(reason, why, situation.now()));
  }

  private static Step mark(
      Situation<MachineSpec, ObservedMachine> situation, ObservedMachine.Found found) {
    String node = situation.node().name();
    // ACT-53: which Machine a node names, its kubelet may have written
    if (!found.nodeName().equals(node)) {
      return failed(
          situation,
          "MachineUnknown",
          "the Machine %s belongs to node %s, not %s"
              .formatted(
                  found.name(), found.nodeName().isEmpty() ? "none" : found.nodeName(), node));
    }
    if (!found.isReplaced()) {
      return failed(
          situation,
          "MachineNotReplaced",
          "the Machine %s is controlled by %s; only a MachineSet or a control plane replaces"
                  .formatted(
                      found.name(), found.owner().isEmpty() ? "nothing" : "a " + found.owner())
              + " its Machines");
    }
    String text =
        found.mark() == null
            ? "the Machine " + found.name() + " is marked for replacement"
            : "the Machine %s was already marked; the existing mark stays".formatted(found.name());
    RemediationProgress status =
        situation
            .status()
            .expectingNodeDeletion(text, situation.now())
            .in(RemediationPhase.WAITING, text, situation.now());
    Step step = Step.of(status).again(SOON);
    return found.mark() == null ? step.then(annotate(situation, found)) : step;
  }

  private static Annotate annotate(
      Situation<MachineSpec, ObservedMachine> situation, ObservedMachine.Found found) {
    return new Annotate(
        found.path(),
        found.uid(),
        found.version(),
        ObservedMachine.MARK,
        situation.remediation().uid());
  }

  private static Step wait(
      Situation<MachineSpec, ObservedMachine> situation, ObservedMachine.Found found) {
    boolean ours = isOurs(situation, found);
    Duration left = situation.spec().within().minus(situation.inPhase());
    if (!found.deleting() && left.compareTo(Duration.ZERO) <= 0) {
      Step step =
          failed(
              situation,
              "MachineNotReplaced",
              "the Machine %s still exists after %s; %s"
                  .formatted(
                      found.name(),
                      GoDuration.format(situation.spec().within()),
                      found.checked().isEmpty()
                          ? "no MachineHealthCheck covers it"
                          : "its MachineHealthCheck reports: " + found.checked()));
      return ours ? step.then(unmark(situation, found)) : step;
    }
    if (!found.deleting() && found.mark() == null) {
      // ACT-54: after a crash the mark may be missing; another Machine of the name gets none
      return situation.hasBooted()
          ? failed(
              situation,
              "MachineChanged",
              "the Machine %s has no mark and the node has rebooted; it may be a different Machine"
                  .formatted(found.name()))
          : Step.of(waiting(situation, found)).then(annotate(situation, found)).again(SOON);
    }
    return Step.of(waiting(situation, found)).again(SOON);
  }

  private static RemediationProgress waiting(
      Situation<MachineSpec, ObservedMachine> situation, ObservedMachine.Found found) {
    String text =
        found.deleting()
            ? "the Machine " + found.name() + " is being deleted"
            : found.checked().isEmpty()
                ? "the Machine %s is marked, but no MachineHealthCheck covers it"
                    .formatted(found.name())
                : "the Machine %s is marked; its MachineHealthCheck reports: %s"
                    .formatted(found.name(), found.checked());
    return situation.status().in(RemediationPhase.WAITING, text, situation.now());
  }

  private static boolean isOurs(
      Situation<MachineSpec, ObservedMachine> situation, ObservedMachine.Found found) {
    return situation.remediation().uid().equals(found.mark());
  }

  private static RemoveAnnotation unmark(
      Situation<MachineSpec, ObservedMachine> situation, ObservedMachine.Found found) {
    return new RemoveAnnotation(
        found.path(), found.uid(), ObservedMachine.MARK, situation.remediation().uid());
  }

  /** A node that is healthy keeps its Machine, unless that is being deleted already. */
  @Override
  public Optional<Step> undo(Situation<MachineSpec, ObservedMachine> situation) {
    return situation.observed() instanceof ObservedMachine.Found found
            && !found.deleting()
            && isOurs(situation, found)
        ? Optional.of(Step.of(situation.status()).then(unmark(situation, found)).again(SOON))
        : Optional.empty();
  }
}
