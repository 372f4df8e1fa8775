package io.probelet.runtime.confine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether and how the restrictions of a container can be enforced. */
public sealed interface ConfinementPlan {
  /**
   * They can be enforced.
   *
   * @param words prefix of its command: setpriv with its options; empty if nothing has to change
   * @param identity the user it runs as; null for Probelet's own
   * @param limits limits for a control group
   */
  record Enforced(List<String> words, @Nullable Identity identity, Limits limits)
      implements ConfinementPlan {
    /** Keeps an unmodifiable copy of the words. */
    public Enforced {
      words = List.copyOf(words);
    }
  }

  /** They cannot be enforced, so the container must not start. */
  record Refused(String message) implements ConfinementPlan {}

  /**
   * A user other than Probelet's own.
   *
   * @param home its home directory on this machine, the root directory if the machine does not know
   *     the user
   */
  record Identity(int user, String home) {}
}
