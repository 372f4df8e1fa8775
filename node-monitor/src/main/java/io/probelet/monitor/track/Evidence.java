package io.probelet.monitor.track;

import io.probelet.health.ConditionStatus;
import io.probelet.health.OneLine;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a source has to say about a rule. */
public sealed interface Evidence {
  /** What the API server takes as the message of an event. */
  int MAX_CHARS = 1024;

  /**
   * Makes what logs and programs say fit to be evidence, and to be shown (B-14): without terminal
   * escape sequences and control characters, and cut if it is too long.
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
    /** A match that is about the node, and about no device. */
    public Matched(String text) {
      this(text, null, "");
    }
  }

  /**
   * A line of a log matched the rule's clear pattern (B-1).
   *
   * @param device the device it is about; empty if it names none, and then all are well (B-15)
   */
  record Cleared(String device) implements Evidence {
    /** All is well again. */
    public Cleared() {
      this("");
    }
  }

  /** The log is being read, and has been up to here. */
  record Watching() implements Evidence {}

  /**
   * A plugin or a check has an opinion.
   *
   * @param status True for a problem, False for none, Unknown if it could not find out
   * @param message what it says, cleaned; may be empty
   */
  record Reported(ConditionStatus status, String message, Coverage coverage) implements Evidence {
    /**
     * The opinion of one who sees the whole.
     *
     * @param status True for a problem, False for none, Unknown if it could not find out
     * @param message what it says, cleaned; may be empty
     */
    public Reported(ConditionStatus status, String message) {
      this(status, message, Coverage.WHOLE);
    }
  }

  /**
   * A check has not come back, which is a problem in itself if it stays so (NM-12). Unlike a report
   * it stays true by itself until another run has come back.
   */
  record Hanging(String why) implements Evidence {}

  /** Nothing could be observed: a source is gone, or a check could not be carried out (B-5). */
  record Lost(String why) implements Evidence {}

  /**
   * Nothing can be observed in this installation: what that takes is not there (B-17). From one who
   * has observed something it counts as {@link Lost}.
   */
  record Unavailable(String why) implements Evidence {}

  /**
   * How far a check can see, and so what it may contradict: one that sees every device speaks for
   * the whole condition, one that sees some of them speaks for those.
   *
   * @param whole whether nothing of the condition is out of sight
   * @param well the devices that were seen and are well, by the names logs have for them; empty if
   *     {@code whole}
   */
  record Coverage(boolean whole, Set<String> well) {
    /** Nothing is out of sight. */
    public static final Coverage WHOLE = new Coverage(true, Set.of());

    /** Keeps an unmodifiable copy of the set. */
    public Coverage {
      well = Set.copyOf(well);
    }

    /** {@return the coverage of a check that sees devices one by one} */
    public static Coverage of(Set<String> well) {
      return new Coverage(false, well);
    }
  }
}
