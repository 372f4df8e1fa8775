package io.probelet.cluster.care;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one round found about one condition type, regardless of the previous status. */
sealed interface ConditionFinding {

  /** All is well. */
  record Healthy(String reason, String message) implements ConditionFinding {}

  /** A failure; the threshold decides how long it is tolerated (CH-28). */
  record Unhealthy(String reason, String message, List<String> codes) implements ConditionFinding {
    public Unhealthy {
      codes = List.copyOf(codes);
    }

    public Unhealthy(String reason, String message) {
      this(reason, message, List.of());
    }
  }

  /**
   * A change in progress.
   *
   * @param limit how long it may take (CH-9); null if another controller enforces a limit
   */
  record Progressing(String reason, String message, List<String> codes, @Nullable Duration limit)
      implements ConditionFinding {
    public Progressing {
      codes = List.copyOf(codes);
    }
  }

  /** The check could not run (CH-37), or its result is stale (CH-44). */
  record Unknown(String reason, String error) implements ConditionFinding {
    public Unknown(String error) {
      this("ConditionCheckError", error);
    }
  }
}
