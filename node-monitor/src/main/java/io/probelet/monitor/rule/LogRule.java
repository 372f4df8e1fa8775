package io.probelet.monitor.rule;

import io.probelet.monitor.rule.Consequence.OnCondition;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What counts as a problem in a log.
 *
 * @param consequence what follows
 * @param pattern matches the problem
 * @param clear matches its end; null if no line shows it (B-1)
 * @param suffix appended to the matched text; empty for nothing
 * @param runs the checks that a match runs at once
 */
public record LogRule(
    Consequence consequence,
    LinePattern pattern,
    @Nullable LinePattern clear,
    String suffix,
    Set<CheckKind> runs) {
  /** Keeps an unmodifiable copy of the set. */
  public LogRule {
    runs = Set.copyOf(runs);
  }

  /**
   * Finds the device a line is about (B-15). Where the file does not say where it stands, and only
   * a check of single devices could ever clear what was found, it is searched for where kernels
   * write it.
   *
   * @param text the line, or the lines, that the pattern matched
   * @return its name; empty if it is about none, or that is not known
   */
  public String deviceIn(String text) {
    if (pattern.namesDevice()) {
      return pattern.device(text);
    }
    boolean onlyByCheck =
        clear == null
            && consequence instanceof OnCondition on
            && on.patience().clearAfter() == null
            && on.patience().minCount() == 1;
    return onlyByCheck ? KernelDevice.in(text) : "";
  }
}
