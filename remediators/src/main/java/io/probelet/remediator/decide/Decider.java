package io.probelet.remediator.decide;

import java.util.Optional;

/**
 * The rules of one kind of remediation. A pure function: the same situation, the same step.
 *
 * <p>It is asked once the remediation may begin: nothing holds it, evidence is taken or was not to
 * be had, and the node exists. The phase is then {@code KeptEvidence}, and becomes one of {@code
 * Draining}, {@code Ordered}, {@code Waiting} with the kind's first step; from then on it is asked
 * again and again until it decides on {@code Done} or {@code Failed}.
 */
@FunctionalInterface
public interface Decider<S, O> {
  /**
   * Decides what to do next.
   *
   * @param situation all that is known
   */
  Step next(Situation<S, O> situation);

  /**
   * Decides what to undo before the remediation's resource is deleted, in addition to its order and
   * cordon, which are undone for every kind.
   *
   * @param situation all that is known; what is observed is that of a remediation that has begun
   * @return the step; empty once nothing is left
   */
  default Optional<Step> undo(Situation<S, O> situation) {
    return Optional.empty();
  }
}
