package io.probelet.cluster.care;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one round found out about one condition type, before the past is looked at. */
sealed interface Finding {

  /** All is well. */
  record Well(String reason, String message) implements Finding {}

  /** Something is wrong; how long it may be is the threshold's business (CH-28). */
  record Bad(String reason, String message, List<String> codes) implements Finding {
    public Bad {
      codes = List.copyOf(codes);
    }

    public Bad(String reason, String message) {
      this(reason, message, List.of());
    }
  }

  /**
   * Something is on its way.
   *
   * @param limit how long it may be (CH-9); null if somebody else sees to that
   */
  record Underway(String reason, String message, List<String> codes, @Nullable Duration limit)
      implements Finding {
    public Underway {
      codes = List.copyOf(codes);
    }
  }

  /** Nobody could find out (CH-37), or what was found out is of the past (CH-44). */
  record Unchecked(String reason, String error) implements Finding {
    public Unchecked(String error) {
      this("ConditionCheckError", error);
    }
  }
}
