package io.probelet.monitor.log;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Node;
import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.LinePattern;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.LogRule;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.Patience;
import io.probelet.monitor.rule.PluginRule;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Names the patterns of a user's monitor that a tenant's text can match (A-11), each with a line in
 * which it does. Every line is matched as the monitor would.
 */
public final class MonitorAdvice {
  /** The name of this advice, which stays. */
  public static final String ID = "tenant-text-matches";

  /** What it is about. */
  public static final String WHY =
      "a tenant chooses names that logs quote, so that such a line is no evidence by itself";

  private static final int MAX_SHOWN = 300;
  private static final String COUNTER = "/log-counter";

  /** The name of a process, which can begin a record. */
  private static final String NAME_FIRST = "%s[4242]: segfault at 0 ip 0 sp 0 error 4";

  private static final int MAX_COMM = 15;

  /** What the kernel writes around a name, {@code %s}, that a process chooses. */
  private static final List<String> KERNEL =
      List.of(
          "x[4242]: segfault at 0 ip 0 sp 0 error 4 in %s[1000+1000]",
          "tmpfs: Unknown parameter '%s'", "tmpfs: Bad mount option %s", NAME_FIRST);

  /** Kubelet, runtimes and others quote names of images, commands and labels. */
  private static final List<String> QUOTING =
      List.of("level=error msg=\"pulling image \\\"%s\\\" failed\"", "image %s");

  /** Any process may write a whole message. */
  private static final List<String> WHOLE = List.of("%s");

  private MonitorAdvice() {}

  /**
   * Gives advice on a valid monitor.
   *
   * @param root its document
   * @param monitor what was read of it
   * @param problems where advice goes
   */
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
      default -> {} // checks have no patterns
    }
  }

  private static void ofLog(Monitor.Log log, List<Fields> rules, Problems problems) {
    for (int i = 0; i < rules.size(); i++) {
      LogRule rule = log.rules().get(i);
      Texts texts = new Texts(log.input(), log.bufferSize());
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
    Texts texts = new Texts(new LogInput.Journal("", "", Map.of()), 1);
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
      return Optional.empty(); // the plugin says so when it runs
    }
  }

  private static String effect(Consequence consequence) {
    return switch (consequence) {
      case Consequence.EventOnly event -> "reports the event " + event.reason();
      case Consequence.OnCondition on -> "sets " + on.type();
    };
  }

  /** Which texts a pattern is matched against. */
  private record Texts(LogInput input, int bufferSize) {}

  private static void give(
      Field field, LinePattern pattern, String effect, Texts texts, Problems problems) {
    Optional<String> line = line(pattern, texts);
    if (line.isPresent()) {
      String shown = CleanText.of(line.get(), MAX_SHOWN);
      advise(field, "%s, and %s: %s".formatted(WHY, effect, shown), problems);
    } else if (mayBeginAnywhere(pattern.source()) && !isTrusted(texts.input())) {
      advise(field, WHY + ", and the pattern is not bound to the line's start by ^", problems);
    }
  }

  private static void advise(Field field, String message, Problems problems) {
    problems.advice(field.at(), field.path(), message, ID);
  }

  /** A line with a tenant's text in it that the monitor's own matcher finds. */
  private static Optional<String> line(LinePattern pattern, Texts texts) {
    for (String text : PatternSample.of(pattern.source())) {
      for (String frame : frames(texts.input())) {
        String line = frame.replace("%s", text);
        boolean fits = !frame.equals(NAME_FIRST) || text.length() <= MAX_COMM;
        if (!text.isBlank() && fits && matches(line, pattern, texts.bufferSize())) {
          return Optional.of(line);
        }
      }
    }
    return Optional.empty();
  }

  private static List<String> frames(LogInput input) {
    return switch (input) {
      case LogInput.Kmsg _ -> KERNEL;
      case LogInput.Journal _ when isTrusted(input) -> List.of();
      case LogInput.Journal _ -> concat(QUOTING, WHOLE);
      case LogInput.TextFile _ -> concat(KERNEL, QUOTING);
    };
  }

  private static List<String> concat(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  /** Whether only systemd itself writes there. */
  private static boolean isTrusted(LogInput input) {
    return input instanceof LogInput.Journal journal && "1".equals(journal.fields().get("_PID"));
  }

  private static boolean mayBeginAnywhere(String expression) {
    return !expression.startsWith("^") && !expression.startsWith("\\A");
  }

  /** Whether the line alone is a match, as the newest of a log. */
  private static boolean matches(String line, LinePattern pattern, int bufferSize) {
    LogRule only =
        new LogRule(new Consequence.EventOnly("R", Patience.NONE), pattern, null, "", Set.of());
    LogMatcher matcher = new LogMatcher(List.of(only), bufferSize, LineFormat.PLAIN);
    return matcher.take(line, Instant.EPOCH, new Nobody());
  }

  /** Takes no notice: whether there was a match is the answer itself. */
  private static final class Nobody implements LogMatcher.Listener {
    @Override
    public void matched(int rule, String text, String device, Instant at) {}

    @Override
    public void cleared(int rule, String device, Instant at) {}

    @Override
    public void unread(String why) {}
  }
}
