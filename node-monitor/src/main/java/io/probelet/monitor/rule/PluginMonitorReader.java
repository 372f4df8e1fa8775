package io.probelet.monitor.rule;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.monitor.rule.Monitor.PluginRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads custom plugin monitors. */
final class PluginMonitorReader {
  private static final Duration INTERVAL = Duration.ofSeconds(30);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int OUTPUT = 80;
  private static final int CONCURRENCY = 3;
  private static final String VARIABLE =
      "must be the name of an environment variable, such as NODE_NAME";

  private final CommonReader common;
  private final Duration interval;
  private final Duration timeout;
  private final PluginProcess process;

  private PluginMonitorReader(
      CommonReader common, Duration interval, Duration timeout, PluginProcess process) {
    this.common = common;
    this.interval = interval;
    this.timeout = timeout;
    this.process = process;
  }

  static @Nullable Monitor read(Fields monitor) {
    Fields config = monitor.field("pluginConfig").objectOrEmpty();
    CommonReader common = CommonReader.ofDetector(monitor, "custom-plugin-monitor");
    if (config == null) {
      return null;
    }
    PluginMonitorReader reader =
        new PluginMonitorReader(
            common,
            MonitorValues.positive(config.field("invoke_interval"), INTERVAL),
            MonitorValues.positive(config.field("timeout"), TIMEOUT),
            process(config));
    int output = FieldRules.atLeast(config.field("max_output_length"), 1, OUTPUT);
    int concurrency = FieldRules.atLeast(config.field("concurrency"), 1, CONCURRENCY);
    boolean follow = config.field("enable_message_change_based_condition_update").bool(false);
    // No status is published before a plugin has run (B-4), so there is no initial status to skip.
    config.field("skip_initial_status").bool(false);
    config.rejectUnknown(Severity.WARNING, CommonReader.IGNORED);
    List<PluginRule> rules = new ArrayList<>();
    for (Fields rule : FieldRules.objects(monitor.field("rules"))) {
      PluginRule read = reader.rule(rule);
      if (read != null) {
        rules.add(read);
      }
    }
    monitor.rejectUnknown(Severity.WARNING, CommonReader.IGNORED);
    return new Monitor.Plugins(
        common.source(),
        common.metricsReporting(),
        common.conditions(),
        output,
        concurrency,
        follow,
        rules);
  }

  private static PluginProcess process(Fields config) {
    String user = FieldRules.parsed(config.field("user"), PluginProcess::parseUser);
    Map<String, String> env = new LinkedHashMap<>();
    for (Field value : FieldRules.entries(config.field("env"))) {
      if (!PluginProcess.isVariable(value.name())) {
        value.error(Complaint.INVALID_KEY, "Invalid key: " + VARIABLE);
      }
      if (!value.isPresent() || value.text("").indexOf('\0') >= 0) {
        value.invalid("must be a string without NUL characters");
      }
      env.put(value.name(), value.text(""));
    }
    List<String> passed = new ArrayList<>();
    for (Field name : config.field("passEnv").items()) {
      if (!PluginProcess.isVariable(name.text(""))) {
        name.invalid(VARIABLE);
      }
      passed.add(name.text(""));
    }
    return new PluginProcess(user == null ? "" : user, env, passed);
  }

  private @Nullable PluginRule rule(Fields rule) {
    Consequence consequence = common.consequence(rule);
    String path = FieldRules.requiredText(rule.field("path"), "the program to run");
    List<String> args = rule.field("args").texts();
    Field timeoutField = rule.field("timeout");
    Duration ruleTimeout = MonitorValues.positive(timeoutField, timeout);
    if (ruleTimeout.compareTo(timeout) > 0) {
      timeoutField.invalid("must not exceed the timeout of pluginConfig");
    }
    Duration ruleInterval = MonitorValues.positive(rule.field("invoke_interval"), interval);
    rule.rejectUnknown(Severity.WARNING, CommonReader.IGNORED);
    return consequence == null || path == null
        ? null
        : new PluginRule(consequence, path, args, ruleTimeout, ruleInterval, process);
  }
}
