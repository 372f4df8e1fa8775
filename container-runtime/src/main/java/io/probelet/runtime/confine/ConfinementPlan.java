package io.probelet.runtime.confine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether and how a container can be held to what its manifest asks. */
public sealed interface ConfinementPlan {
  /**
   * It can.
   *
   * @param words what to put before its command: setpriv with its options; empty when nothing has
   *     to change
   * @param identity who it runs as; null when that is who Probelet runs as
   * @param limits what a control group has to see to
   */
  record Enforced(List<String> words, @Nullable Identity identity, Limits limits)
      implements ConfinementPlan {
    /** Keeps an unmodifiable copy of the words. */
    public Enforced {
      words = List.copyOf(words);
    }
  }

  /** It cannot, and must not start. */
  record Refused(String message) implements ConfinementPlan {}

  /**
   * Another user than Probelet's own.
   *
   * @param home its directory on this machine, the root if the machine does not know it
   */
  record Identity(int user, String home) {}
}
