package io.probelet.monitor.rule;

import io.probelet.monitor.rule.Consequence.OnCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One monitor file: where evidence comes from and what follows from it. */
public sealed interface Monitor {
  /** {@return what events and metrics call it; never blank} */
  String source();

  /** {@return the conditions it can set, each type once} */
  List<ConditionSpec> conditions();

  /** {@return whether its problems are counted in metrics } */
  boolean metricsReporting();

  /**
   * Watches a log.
   *
   * @param metricsReporting whether its problems are counted in metrics
   * @param conditions the conditions it can set
   * @param bufferSize lines a pattern can span, 1 or more
   * @param lookback how old a line may be when reading begins, zero or more
   * @param delay how long after the boot reading begins, zero or more
   * @param rules in the order of the file
   */
  record Log(
      String source,
      boolean metricsReporting,
      List<ConditionSpec> conditions,
      LogInput input,
      int bufferSize,
      Duration lookback,
      Duration delay,
      List<LogRule> rules)
      implements Monitor {
    /** Keeps unmodifiable copies of the lists. */
    public Log {
      conditions = List.copyOf(conditions);
      rules = List.copyOf(rules);
    }

    /**
     * Says from when on lines count: from the later of the lookback and the delay after the
     * boot. What a program before this one has not read yet is never too old.
     *
     * @param goesOn whether a program before this one has read up to some place
     * @return lines before it count for nothing
     */
    public Instant notBefore(Instant boot, Instant now, boolean goesOn) {
      Instant delayed = boot.plus(delay);
      Instant recent = now.minus(lookback);
      return !goesOn && recent.isAfter(delayed) ? recent : delayed;
    }
  }

  /**
   * Runs programs.
   *
   * @param metricsReporting whether its problems are counted in metrics
   * @param conditions the conditions it can set
   * @param maxOutputLength bytes of output that become a message, 1 or more
   * @param concurrency how many of its programs run at once, 1 or more
   * @param followMessage whether a condition's message changes with the output while its status
   *     stays
   * @param rules in the order of the file
   */
  record Plugins(
      String source,
      boolean metricsReporting,
      List<ConditionSpec> conditions,
      int maxOutputLength,
      int concurrency,
      boolean followMessage,
      List<PluginRule> rules)
      implements Monitor {
    /** Keeps unmodifiable copies of the lists. */
    public Plugins {
      conditions = List.copyOf(conditions);
      rules = List.copyOf(rules);
    }
  }

  /**
   * Checks the machine itself (B-9).
   *
   * @param metricsReporting whether its problems are counted in metrics
   * @param conditions the conditions it can set
   * @param rules in the order of the file; none for a check that is switched off
   */
  record Checks(
      String source,
      boolean metricsReporting,
      List<ConditionSpec> conditions,
      List<CheckRule> rules,
      Set<CheckKind> about)
      implements Monitor {
    /** Keeps unmodifiable copies of the collections. */
    public Checks {
      conditions = List.copyOf(conditions);
      rules = List.copyOf(rules);
      about = Set.copyOf(about);
    }
  }

  /**
   * What counts as a problem in a log.
   *
   * @param clear matches its end; null if no line shows it (B-1)
   * @param suffix appended to the matched text; empty for nothing
   * @param runs the checks that a match runs at once
   */
  record LogRule(
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
     * Finds the device a line is about (B-15). Where the file does not say where it stands, and
     * only a check of single devices could ever clear what was found, it is searched for where
     * kernels write it.
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

  /**
   * A program whose exit code is an opinion.
   *
   * @param consequence what follows when it exits with 1
   * @param timeout how long it may take, above zero
   * @param interval from one start to the next, above zero
   */
  record PluginRule(
      Consequence consequence,
      String path,
      List<String> args,
      Duration timeout,
      Duration interval,
      PluginProcess process) {
    /** Keeps an unmodifiable copy of the arguments. */
    public PluginRule {
      args = List.copyOf(args);
    }
  }

  /**
   * A check of the machine that is repeated.
   *
   * @param check what is checked, and what is too much
   * @param interval from one run to the next, above zero
   * @param timeout after how long a run counts as hung, above zero
   */
  record CheckRule(
      CheckKind kind,
      Consequence consequence,
      CheckSpec check,
      Duration interval,
      Duration timeout) {}
}
