package io.probelet.monitor.rule;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads system log monitors. */
final class LogMonitorReader {
  private static final int BUFFER_SIZE = 10;

  private LogMonitorReader() {}

  static @Nullable Monitor read(MonitorKeys keys, String plugin) {
    LogInput input = input(keys, plugin);
    CommonReader common = CommonReader.of(keys);
    List<LogRule> rules = new ArrayList<>();
    for (MonitorKeys rule : keys.objects("rules")) {
      LogRule read = rule(rule, common);
      if (read != null) {
        rules.add(read);
      }
    }
    int bufferSize = keys.atLeast(1, "bufferSize", BUFFER_SIZE);
    Duration lookback = keys.duration("lookback", Duration.ZERO);
    Duration delay = keys.duration("delay", Duration.ZERO);
    keys.unknown(false, ", ignored");
    return input == null
        ? null
        : new Monitor.Log(
            common.source(),
            common.metricsReporting(),
            common.conditions(),
            input,
            bufferSize,
            lookback,
            delay,
            rules);
  }

  private static @Nullable LogRule rule(MonitorKeys keys, CommonReader common) {
    Consequence consequence = common.consequence(keys);
    LinePattern pattern = keys.parsed("pattern", LinePattern::parse);
    if (pattern == null && keys.text("pattern", "").isEmpty()) {
      keys.required("pattern", "a regular expression in RE2 syntax");
    }
    LinePattern clear = keys.parsed("clearPattern", LinePattern::parse);
    if (clear != null && consequence instanceof Consequence.EventOnly) {
      keys.error("clearPattern", "is for permanent rules: a temporary one has nothing to clear");
    }
    if (clear != null && clear.namesDevice() && pattern != null && !pattern.namesDevice()) {
      keys.error(
          "clearPattern",
          "has a group (?P<device>…) and pattern has none: no device it names was ever bad");
    }
    String suffix = keys.text("patternGeneratedMessageSuffix", "");
    keys.unknown(false, ", ignored");
    return consequence == null || pattern == null
        ? null
        : new LogRule(consequence, pattern, clear, suffix);
  }

  private static @Nullable LogInput input(MonitorKeys keys, String plugin) {
    MonitorKeys config = keys.object("pluginConfig");
    String path = keys.text("logPath", "");
    List<String> skip = keys.texts("skipList");
    LogInput input =
        switch (plugin) {
          case "kmsg" -> new LogInput.Kmsg(path.isEmpty() ? LogInput.Kmsg.DEVICE : Path.of(path));
          case "journald" ->
              new LogInput.Journal(path, config.required("source", "a syslog identifier"));
          default -> textFile(keys, config, path, skip);
        };
    config.unknown(false, ", ignored");
    return input;
  }

  private static @Nullable LogInput textFile(
      MonitorKeys keys, MonitorKeys config, String path, List<String> skip) {
    config.required("timestamp", "a regular expression that finds a line's time");
    config.required("message", "a regular expression that finds a line's message");
    config.required("timestampFormat", "a Go time layout, such as Jan _2 15:04:05");
    keys.required("logPath", "the file to read");
    Pattern timestamp = config.parsed("timestamp", LogMonitorReader::expression);
    Pattern message = config.parsed("message", LogMonitorReader::expression);
    TimeLayout layout = config.parsed("timestampFormat", TimeLayout::parse);
    return timestamp == null || message == null || layout == null || path.isEmpty()
        ? null
        : new LogInput.TextFile(Path.of(path), timestamp, message, layout, skip);
  }

  private static Pattern expression(String text) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException malformed) {
      throw new IllegalArgumentException(
          "is no regular expression in RE2 syntax: " + malformed.getMessage(), malformed);
    }
  }
}
