package io.probelet.monitor.plugin;

import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.journal.JournalOrigin;
import io.probelet.monitor.journal.JournalPlace;
import io.probelet.monitor.rule.LinePattern;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Counts matching journal lines, minus those that match the revert pattern. */
final class LogCounter implements NodeCheck {
  private static final Set<String> FLAGS =
      Set.of(
          "journald-source", "log-path", "lookback", "delay", "pattern", "revert-pattern", "count");

  private final JournalLines journal;
  private final LinePattern pattern;
  private final Optional<LinePattern> revert;
  private final int most;
  private final Duration lookback;
  private final Duration delay;
  private final Duration timeout;
  private final BuiltIns around;

  private LogCounter(PluginFlags flags, Duration timeout, BuiltIns around) {
    String source = flags.text("journald-source", "");
    if (source.isEmpty() || flags.text("pattern", "").isEmpty()) {
      throw new IllegalArgumentException("--journald-source and --pattern are required");
    }
    String directory = flags.text("log-path", "");
    JournalPlace place = new JournalPlace(around.machine().root(), directory);
    journal =
        new JournalLines(
            around.journal(), place, new JournalOrigin.Identifier(source), around.machine().time());
    pattern = pattern("pattern", flags.text("pattern", ""));
    String reverting = flags.text("revert-pattern", "");
    revert =
        reverting.isEmpty() ? Optional.empty() : Optional.of(pattern("revert-pattern", reverting));
    most = flags.number("count", 1);
    lookback = flags.duration("lookback", Duration.ZERO);
    delay = flags.duration("delay", Duration.ZERO);
    this.timeout = timeout;
    this.around = around;
  }

  private static LinePattern pattern(String flag, String text) {
    try {
      return LinePattern.parse(text);
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException("--" + flag + ": " + malformed.getMessage(), malformed);
    }
  }

  static NodeCheck of(List<String> args, Duration timeout, BuiltIns around) {
    return new LogCounter(PluginFlags.parse(args, FLAGS, Set.of()), timeout, around);
  }

  private static final class Count {
    private int value;
  }

  @Override
  public NodeCheckResult run() throws IOException, InterruptedException {
    Instant back = around.machine().time().wallTime().minus(lookback);
    Instant delayed = around.boot().get().plus(delay);
    Count count = new Count();
    journal.read(
        back.isAfter(delayed) ? back : delayed,
        timeout,
        line -> {
          if (pattern.find(line).isPresent()) {
            count.value++;
          }
          if (revert.isPresent() && revert.get().find(line).isPresent()) {
            count.value--;
          }
        });
    return count.value >= most
        ? new NodeCheckResult.Problem(
            "%d matching lines, threshold %d".formatted(count.value, most))
        : NodeCheckResult.OK;
  }
}
