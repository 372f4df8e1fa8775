package io.probelet.monitor.log;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Node;
import io.probelet.health.OneLine;
import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.LinePattern;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.Monitor.LogRule;
import io.probelet.monitor.rule.Monitor.PluginRule;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds patterns of a user's monitor that a tenant's text can match (A-11), each with an example
 * line. Every line is verified with the monitor's own matcher.
 */
public final class MonitorAdvice {
  /** The stable name of this advice. */
  public static final String ID = "tenant-text-matches";

  /** The reason for this advice. */
  public static final String WHY =
      "tenants choose names that logs quote, so a matching line is not evidence by itself";

  private static final int MAX_SHOWN = 300;

  /** A typical pattern takes some ten thousand. */
  private static final long MAX_STEPS = 10_000_000;

  private static final String COUNTER = "/log-counter";

  /** Kubelet, runtimes and others log names of images, commands and labels. */
  private static final List<KernelFormat> QUOTING =
      List.of(
          new KernelFormat("level=error msg=\"pulling image \\\"%TEXT%\\\" failed\"", ""),
          new KernelFormat("image %TEXT%", ""));

  /** Any process may write a whole message. */
  private static final List<KernelFormat> WHOLE = List.of(new KernelFormat("%TEXT%", ""));

  private MonitorAdvice() {}

  /** Gives advice on a valid monitor. */
  public static void give(Node root, Monitor monitor, Problems problems) {
    Fields document =
        Field.ofDocument(new Scope(problems, Severity.WARNING, true), "", root).object();
    if (document == null) {
      return;
    }
    List<Fields> rules = FieldRules.objects(document.field("rules"));
    switch (monitor) {
      case Monitor.Log log when log.rules().size() == rules.size() -> ofLog(log, rules, problems);
      case Monitor.Plugins plugins when plugins.rules().size() == rules.size() ->
          ofPlugins(plugins, rules, problems);
      default -> {} // checks and expressions have no patterns
    }
  }

  private static void ofLog(Monitor.Log log, List<Fields> rules, Problems problems) {
    LineForger.Budget budget = new LineForger.Budget(MAX_STEPS);
    for (int i = 0; i < rules.size(); i++) {
      LogRule rule = log.rules().get(i);
      Texts texts = new Texts(log.input(), log.bufferSize(), budget);
      give(
          rules.get(i).field("pattern"),
          rule.pattern(),
          effect(rule.consequence()),
          texts,
          problems);
      LinePattern clear = rule.clear();
      if (clear != null && rule.consequence() instanceof Consequence.OnCondition on) {
        give(rules.get(i).field("clearPattern"), clear, "clears " + on.type(), texts, problems);
      }
    }
  }

  /** A plugin that counts lines of the journal by a pattern, as node-problem-detector's does. */
  private static void ofPlugins(Monitor.Plugins plugins, List<Fields> rules, Problems problems) {
    Texts texts =
        new Texts(new LogInput.Journal("", "", Map.of()), 1, new LineForger.Budget(MAX_STEPS));
    for (int i = 0; i < rules.size(); i++) {
      PluginRule rule = plugins.rules().get(i);
      for (String argument : rule.args()) {
        if (rule.path().endsWith(COUNTER) && argument.matches("--?pattern=(?s).*")) {
          Optional<LinePattern> pattern = parsed(argument.substring(argument.indexOf('=') + 1));
          if (pattern.isPresent()) {
            String effect = effect(rule.consequence());
            give(rules.get(i).field("args"), pattern.get(), effect, texts, problems);
          }
        }
      }
    }
  }

  private static Optional<LinePattern> parsed(String pattern) {
    try {
      return Optional.of(LinePattern.parse(pattern));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty(); // the plugin reports this when it runs
    }
  }

  private static String effect(Consequence consequence) {
    return switch (consequence) {
      case Consequence.EventOnly event -> "reports the event " + event.reason();
      case Consequence.OnCondition on -> "sets " + on.type();
    };
  }

  /** Which texts a pattern is matched against. */
  private record Texts(LogInput input, int bufferSize, LineForger.Budget budget) {}

  private static void give(
      Field field, LinePattern pattern, String effect, Texts texts, Problems problems) {
    Optional<String> line = forged(pattern, texts);
    if (line.isPresent()) {
      advise(
          field, "%s; this tenant text %s: %s".formatted(WHY, effect, shown(line.get())), problems);
      return;
    }
    if (texts.budget().isSpent()) {
      advise(
          field, WHY + "; this pattern was not checked: the file has too many patterns", problems);
      return;
    }
    Optional<String> beginning = begun(pattern, texts);
    if (beginning.isPresent()) {
      advise(
          field,
          "%s; with .* at its end the pattern matches this tenant text, which %s: %s"
              .formatted(WHY, effect, shown(beginning.get())),
          problems);
    } else if (mayBeginAnywhere(pattern.source()) && !isTrusted(texts.input())) {
      advise(field, WHY + "; the pattern is not anchored with ^", problems);
    }
  }

  private static String shown(String line) {
    return OneLine.beginning(line, MAX_SHOWN);
  }

  private static void advise(Field field, String message, Problems problems) {
    problems.advice(field.at(), field.path(), message, ID);
  }

  /** A line with a tenant's text that the monitor's own matcher matches. */
  private static Optional<String> forged(LinePattern pattern, Texts texts) {
    List<KernelFormat> formats = formats(texts.input());
    Optional<String> innocent =
        innocent(formats).filter(line -> matches(line, pattern, texts.bufferSize())).findFirst();
    Optional<LineForger> forger =
        innocent.isPresent() ? Optional.empty() : forger(pattern, texts.budget());
    return forger.isEmpty()
        ? innocent
        : formats.stream()
            // The line reports the event of its rule, whatever name it contains.
            .filter(format -> !matches(format.innocent(), pattern, texts.bufferSize()))
            .flatMap(format -> forger.get().forge(format).stream())
            .map(String::strip) // as logs are read
            .filter(line -> matches(line, pattern, texts.bufferSize()))
            .findFirst();
  }

  /** Records that a process can cause on a healthy node. */
  private static Stream<String> innocent(List<KernelFormat> formats) {
    return formats.stream().filter(format -> format.reason().isEmpty()).map(KernelFormat::innocent);
  }

  private static Optional<LineForger> forger(LinePattern pattern, LineForger.Budget budget) {
    try {
      return Optional.of(new LineForger(PatternAutomaton.of(pattern.source() + "\\z"), budget));
    } catch (IllegalArgumentException unknown) {
      return Optional.empty(); // RE2 supports more syntax than this reader
    }
  }

  /**
   * A line of which the pattern matches the beginning but not the end. Such a pattern never matches
   * that line (A-2), although its author meant it to.
   */
  private static Optional<String> begun(LinePattern pattern, Texts texts) {
    return parsed(pattern.source() + ".*").stream()
        .flatMap(longer ->
            innocent(formats(texts.input()))
                .filter(line -> matches(line, longer, texts.bufferSize())))
        .findFirst();
  }

  private static List<KernelFormat> formats(LogInput input) {
    return switch (input) {
      case LogInput.Kmsg _ -> KernelFormat.ALL;
      case LogInput.Journal _ when isTrusted(input) -> List.of();
      case LogInput.Journal _ -> concat(QUOTING, WHOLE);
      case LogInput.TextFile _ -> concat(KernelFormat.ALL, QUOTING);
    };
  }

  private static List<KernelFormat> concat(List<KernelFormat> one, List<KernelFormat> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  /** Whether only systemd itself can write these entries. */
  private static boolean isTrusted(LogInput input) {
    return input instanceof LogInput.Journal journal && "1".equals(journal.fields().get("_PID"));
  }

  private static boolean mayBeginAnywhere(String expression) {
    return !expression.startsWith("^") && !expression.startsWith("\\A");
  }

  /** Whether the line alone matches, as the newest of a log. */
  private static boolean matches(String line, LinePattern pattern, int bufferSize) {
    LogRule only =
        new LogRule(
            new Consequence.EventOnly("R", EvidenceThreshold.NONE), pattern, null, "", Set.of());
    LogMatcher matcher = new LogMatcher(List.of(only), bufferSize, LineFormat.PLAIN);
    return matcher.take(line, Instant.EPOCH, new Nobody());
  }

  /** Ignores matches: the return value of the matcher is the answer. */
  private static final class Nobody implements LogMatcher.Listener {
    @Override
    public void matched(int rule, String text, String device, Instant at) {}

    @Override
    public void cleared(int rule, String device, Instant at) {}

    @Override
    public void unread(String why) {}
  }
}
