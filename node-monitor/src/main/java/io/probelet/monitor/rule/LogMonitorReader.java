package io.probelet.monitor.rule;

import com.google.re2j.Pattern;
import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.monitor.rule.Monitor.LogRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads system log monitors. */
final class LogMonitorReader {
  private static final int BUFFER_SIZE = 10;
  private static final String KERNEL = "kern";

  /** A sender cannot set fields that begin with an underscore. */
  private static final Pattern TRUSTED_FIELD = Pattern.compile("_[A-Z][A-Z0-9_]{0,62}");

  private static final String EXPRESSION = "a regular expression in RE2 syntax";

  private LogMonitorReader() {}

  static @Nullable Monitor read(Fields monitor, String plugin) {
    LogInput input = input(monitor, plugin);
    CommonReader common = CommonReader.ofDetector(monitor, "system-log-monitor");
    List<LogRule> rules = new ArrayList<>();
    for (Fields rule : FieldRules.objects(monitor.field("rules"))) {
      LogRule read = rule(rule, common);
      if (read != null) {
        rules.add(read);
      }
    }
    int bufferSize = FieldRules.atLeast(monitor.field("bufferSize"), 1, BUFFER_SIZE);
    Duration lookback = MonitorValues.duration(monitor.field("lookback"), Duration.ZERO);
    Duration delay = MonitorValues.duration(monitor.field("delay"), Duration.ZERO);
    monitor.rejectUnknown(Severity.WARNING, CommonReader.IGNORED);
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

  private static @Nullable LogRule rule(Fields rule, CommonReader common) {
    Consequence consequence = common.consequence(rule);
    LinePattern pattern = required(rule.field("pattern"), EXPRESSION, LinePattern::parse);
    Field clearField = rule.field("clearPattern");
    LinePattern clear = FieldRules.parsed(clearField, LinePattern::parse);
    if (clear != null && consequence instanceof Consequence.EventOnly) {
      clearField.forbidden(
          "is allowed in permanent rules only: a temporary rule has nothing to clear");
    }
    if (clear != null && clear.namesDevice() && pattern != null && !pattern.namesDevice()) {
      clearField.invalid(
          "has a group (?P<device>…) but pattern has none, so it would clear no device");
    }
    String suffix = rule.field("patternGeneratedMessageSuffix").text("");
    Set<CheckKind> runs = runs(rule.field("runs"), consequence);
    rule.rejectUnknown(Severity.WARNING, CommonReader.IGNORED);
    return consequence == null || pattern == null
        ? null
        : new LogRule(consequence, pattern, clear, suffix, runs);
  }

  /** the line only triggers the check; the check's result is the evidence. */
  private static Set<CheckKind> runs(Field field, @Nullable Consequence consequence) {
    Set<CheckKind> kinds = EnumSet.noneOf(CheckKind.class);
    for (Field item : field.items()) {
      CheckKind kind = FieldRules.oneOf(item, CheckKind.values());
      if (kind != null) {
        kinds.add(kind);
      }
    }
    if (!kinds.isEmpty() && consequence instanceof Consequence.OnCondition) {
      field.forbidden(
          "is allowed in temporary rules only: a permanent rule sets its condition itself");
    }
    return kinds;
  }

  private static @Nullable LogInput input(Fields monitor, String plugin) {
    Fields config = monitor.field("pluginConfig").objectOrEmpty();
    Field path = monitor.field("logPath");
    List<String> skip = monitor.field("skipList").texts();
    if (config == null) {
      return null;
    }
    LogInput input =
        switch (plugin) {
          case "kmsg" -> kmsg(FieldRules.parsed(path, Path::of), config.field("facility"));
          case "journald" -> journal(config, path.text(""));
          default -> textFile(config, path, skip);
        };
    config.rejectUnknown(Severity.WARNING, CommonReader.IGNORED);
    return input;
  }

  private static LogInput kmsg(@Nullable Path device, Field facility) {
    boolean kernelOnly = KERNEL.equals(FieldRules.oneOf(facility, List.of(KERNEL)));
    return new LogInput.Kmsg(device == null ? LogInput.Kmsg.DEVICE : device, kernelOnly);
  }

  private static @Nullable LogInput journal(Fields config, String path) {
    String identifier = FieldRules.requiredText(config.field("source"), "a syslog identifier");
    Map<String, String> fields = trustedFields(config.field("fields"));
    return identifier == null ? null : new LogInput.Journal(path, identifier, fields);
  }

  private static Map<String, String> trustedFields(Field field) {
    Map<String, String> fields = new TreeMap<>();
    for (Field each : FieldRules.entries(field)) {
      if (TRUSTED_FIELD.matcher(each.name()).matches()) {
        fields.put(each.name(), each.text(""));
      } else {
        each.error(
            Complaint.UNKNOWN_FIELD,
            "unknown field: must be a field that journald itself sets, such as _PID");
      }
    }
    return fields;
  }

  private static @Nullable LogInput textFile(Fields config, Field path, List<String> skip) {
    Pattern timestamp =
        required(
            config.field("timestamp"),
            "a regular expression that finds a line's time",
            LinePattern::expression);
    Pattern message =
        required(
            config.field("message"),
            "a regular expression that finds a line's message",
            LinePattern::expression);
    TimeLayout layout =
        required(
            config.field("timestampFormat"),
            "a Go time layout, such as Jan _2 15:04:05",
            TimeLayout::parse);
    Path file = required(path, "the file to read", Path::of);
    return timestamp == null || message == null || layout == null || file == null
        ? null
        : new LogInput.TextFile(file, timestamp, message, layout, skip);
  }

  private static <T> @Nullable T required(Field field, String rule, Function<String, T> parser) {
    return FieldRules.requiredText(field, rule) == null ? null : FieldRules.parsed(field, parser);
  }
}
