package io.probelet.cluster.care;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one round found out about one condition type, before what it was is considered. */
sealed interface ConditionFinding {

  /** All is well. */
  record Healthy(String reason, String message) implements ConditionFinding {}

  /** Something is wrong; how long it may be is the threshold's business (CH-28). */
  record Unhealthy(String reason, String message, List<String> codes) implements ConditionFinding {
    public Unhealthy {
      codes = List.copyOf(codes);
    }

    public Unhealthy(String reason, String message) {
      this(reason, message, List.of());
    }
  }

  /**
   * Something is on its way.
   *
   * @param limit how long it may be (CH-9); null if somebody else sees to that
   */
  record Progressing(String reason, String message, List<String> codes, @Nullable Duration limit)
      implements ConditionFinding {
    public Progressing {
      codes = List.copyOf(codes);
    }
  }

  /** Nobody could find out (CH-37), or what was found out is of the past (CH-44). */
  record Unknown(String reason, String error) implements ConditionFinding {
    public Unknown(String error) {
      this("ConditionCheckError", error);
    }
  }
}
