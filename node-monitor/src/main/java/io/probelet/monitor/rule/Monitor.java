package io.probelet.monitor.rule;

import io.probelet.document.expression.CompiledExpression;
import io.probelet.monitor.rule.Consequence.OnCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A monitor file: the source of evidence and its consequences. */
public sealed interface Monitor {
  /** {@return its name in events and metrics; never blank} */
  String source();

  /** {@return the conditions it can set, each type once} */
  List<ConditionSpec> conditions();

  /** {@return whether metrics count its problems } */
  boolean metricsReporting();

  /**
   * Watches a log.
   *
   * @param metricsReporting whether metrics count its problems
   * @param conditions the conditions it can set
   * @param bufferSize the lines a pattern can span, 1 or more
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
     * Returns the time from which lines count: the later of lookback and delay after the
     * boot. Lines that an earlier process has not read are never too old.
     *
     * @param isResumed whether there is a read position of an earlier process
     * @return earlier lines are ignored
     */
    public Instant notBefore(Instant boot, Instant now, boolean isResumed) {
      Instant delayed = boot.plus(delay);
      Instant recent = now.minus(lookback);
      return !isResumed && recent.isAfter(delayed) ? recent : delayed;
    }
  }

  /**
   * Runs programs.
   *
   * @param metricsReporting whether metrics count its problems
   * @param conditions the conditions it can set
   * @param maxOutputLength the bytes of output used as message, 1 or more
   * @param concurrency the most programs that run at once, 1 or more
   * @param followMessage whether a condition's message follows the output while its status stays
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
   * @param metricsReporting whether metrics count its problems
   * @param conditions the conditions it can set
   * @param rules in the order of the file; without disabled checks
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
   * Decides conditions by expressions over the node's other conditions (B-25).
   *
   * @param metricsReporting whether metrics count its problems
   * @param conditions the conditions it can set
   * @param rules in the order of the file
   */
  record Expressions(
      String source,
      boolean metricsReporting,
      List<ConditionSpec> conditions,
      List<ExpressionRule> rules)
      implements Monitor {
    /** Keeps unmodifiable copies of the lists. */
    public Expressions {
      conditions = List.copyOf(conditions);
      rules = List.copyOf(rules);
    }
  }

  /**
   * A rule of a log.
   *
   * @param clear matches the end of the problem; null if no line shows it (B-1)
   * @param suffix appended to the matched text; may be empty
   * @param runs the checks that a match runs immediately
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
     * Finds the device of a line (B-15). If the pattern has no device group and only a check of
     * single devices could clear the problem, the device is searched where kernels write it.
     *
     * @param text the line, or the lines, that the pattern matched
     * @return its name; empty if there is none, or it is unknown
     */
    public String deviceIn(String text) {
      if (pattern.namesDevice()) {
        return pattern.device(text);
      }
      boolean onlyByCheck =
          clear == null
              && consequence instanceof OnCondition on
              && on.threshold().clearAfter() == null
              && on.threshold().minCount() == 1;
      return onlyByCheck ? KernelDevice.in(text) : "";
    }
  }

  /**
   * A plugin, whose exit code is the result.
   *
   * @param consequence the consequence of exit code 1
   * @param timeout how long it may take, above zero
   * @param interval the time between starts, above zero
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
   * A periodic check of the machine.
   *
   * @param check what is checked, and its threshold
   * @param interval the time between runs, above zero
   * @param timeout the time after which a run counts as hung, above zero
   */
  record CheckRule(
      CheckKind kind,
      Consequence consequence,
      CheckSpec check,
      Duration interval,
      Duration timeout) {}

  /**
   * An expression that makes a condition True while it is true.
   *
   * @param when over {@link ConditionVariables}
   * @param message the condition's message meanwhile
   */
  record ExpressionRule(OnCondition consequence, CompiledExpression when, String message) {}
}
