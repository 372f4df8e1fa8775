package io.probelet.monitor.track;

import io.probelet.health.ConditionStatus;
import io.probelet.health.OneLine;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Evidence of a source for a rule. */
public sealed interface Evidence {
  /** The API server's limit for an event message. */
  int MAX_CHARS = 1024;

  /**
   * Cleans text of logs and programs (B-14): removes terminal escape sequences and control
   * characters, and truncates it.
   *
   * @param said any text
   * @return at most {@link #MAX_CHARS} characters; newlines and tabs have become spaces
   */
  static String text(String said) {
    return OneLine.beginning(said, MAX_CHARS);
  }

  /**
   * A line of a log matched the rule's pattern.
   *
   * @param pod the container it is about; null if it is about none (B-10)
   * @param device the device it is about; empty if it names none (B-15)
   */
  record Matched(String text, @Nullable PodTrace pod, String device) implements Evidence {
    /** A match about the node, without a device. */
    public Matched(String text) {
      this(text, null, "");
    }
  }

  /**
   * A line of a log matched the rule's clear pattern (B-1).
   *
   * @param device the device it is about; empty clears all devices (B-15)
   */
  record Cleared(String device) implements Evidence {
    /** All devices are healthy again. */
    public Cleared() {
      this("");
    }
  }

  /** The log is being read and is up to date. */
  record Watching() implements Evidence {}

  /**
   * The result of a plugin or check.
   *
   * @param status True for a problem, False for none, Unknown if it could not find out
   * @param message its text, cleaned; may be empty
   */
  record Reported(ConditionStatus status, String message, Coverage coverage) implements Evidence {
    /**
     * A result that covers all devices.
     *
     * @param status True for a problem, False for none, Unknown if it could not find out
     * @param message its text, cleaned; may be empty
     */
    public Reported(ConditionStatus status, String message) {
      this(status, message, Coverage.WHOLE);
    }
  }

  /**
   * A check hangs, which is itself a problem if it lasts (NM-12). Unlike a report it stays valid
   * until another run has finished.
   */
  record Hanging(String why) implements Evidence {}

  /** Nothing could be observed: a source is gone, or a check cannot run (B-5). */
  record Lost(String why) implements Evidence {}

  /**
   * Nothing can be observed in this installation: a prerequisite is missing (B-17). From a source
   * that has worked before it counts as {@link Lost}.
   */
  record Unavailable(String why) implements Evidence {}

  /**
   * What a check covers, and so what it may contradict: a check of all devices covers the whole
   * condition, a check of single devices covers those.
   *
   * @param whole whether it covers the whole condition
   * @param well the healthy devices it has seen, by their names in logs; empty if {@code whole}
   */
  record Coverage(boolean whole, Set<String> well) {
    /** Covers the whole condition. */
    public static final Coverage WHOLE = new Coverage(true, Set.of());

    /** Keeps an unmodifiable copy of the set. */
    public Coverage {
      well = Set.copyOf(well);
    }

    /** {@return the coverage of a check of single devices} */
    public static Coverage of(Set<String> well) {
      return new Coverage(false, well);
    }
  }
}
