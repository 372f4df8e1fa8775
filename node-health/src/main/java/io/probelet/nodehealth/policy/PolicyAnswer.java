package io.probelet.nodehealth.policy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a remediation may start. */
public sealed interface PolicyAnswer {
  /** {@return why it may not; empty if it may} */
  default Optional<PolicyHold> hold() {
    return this instanceof Held held ? Optional.of(held.why()) : Optional.empty();
  }

  /**
   * It may not.
   *
   * @param until when to ask again even if nothing changes; null for never
   */
  record Held(PolicyHold why, @Nullable Instant until) implements PolicyAnswer {}

  /**
   * Allowed, after the following writes, in this order.
   *
   * @param countIn the names of the policies whose history has to have it first
   * @param takesApproval whether a human's approval of its kind has to be taken off the node
   */
  record Allowed(List<String> countIn, boolean takesApproval) implements PolicyAnswer {
    /** Copies the names. */
    public Allowed {
      countIn = List.copyOf(countIn);
    }
  }
}
