package io.probelet.nodehealth.policy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a remediation may start. */
public sealed interface PolicyAnswer {
  /** {@return the reason if it may not start; empty if it may} */
  default Optional<PolicyHold> hold() {
    return this instanceof Held held ? Optional.of(held.why()) : Optional.empty();
  }

  /**
   * It may not start.
   *
   * @param until when to ask again even if nothing changes; null for never
   */
  record Held(PolicyHold why, @Nullable Instant until) implements PolicyAnswer {}

  /**
   * Allowed, after the following writes, in this order.
   *
   * @param countIn names of the policies whose history must contain it first
   * @param takesApproval whether a human's approval of its kind must be removed from the node
   */
  record Allowed(List<String> countIn, boolean takesApproval) implements PolicyAnswer {
    /** Copies the names. */
    public Allowed {
      countIn = List.copyOf(countIn);
    }
  }
}
