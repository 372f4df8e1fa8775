package io.probelet.monitor.rule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads custom plugin monitors. */
final class PluginMonitorReader {
  private static final Duration INTERVAL = Duration.ofSeconds(30);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int OUTPUT = 80;
  private static final int CONCURRENCY = 3;

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

  static Monitor read(MonitorKeys keys) {
    MonitorKeys config = keys.object("pluginConfig");
    CommonReader common = CommonReader.of(keys);
    PluginMonitorReader reader =
        new PluginMonitorReader(
            common,
            config.positive("invoke_interval", INTERVAL),
            config.positive("timeout", TIMEOUT),
            process(config));
    int output = config.atLeast(1, "max_output_length", OUTPUT);
    int concurrency = config.atLeast(1, "concurrency", CONCURRENCY);
    boolean follow = config.bool("enable_message_change_based_condition_update", false);
    // Nothing is said before a plugin has run (B-4), so there is no initial status to skip.
    config.bool("skip_initial_status", false);
    config.unknown(false, ", ignored");
    List<PluginRule> rules = new ArrayList<>();
    for (MonitorKeys rule : keys.objects("rules")) {
      PluginRule read = reader.rule(rule);
      if (read != null) {
        rules.add(read);
      }
    }
    keys.unknown(false, ", ignored");
    return new Monitor.Plugins(
        common.source(),
        common.metricsReporting(),
        common.conditions(),
        output,
        concurrency,
        follow,
        rules);
  }

  private static PluginProcess process(MonitorKeys config) {
    String user = config.parsed("user", PluginProcess::parseUser);
    Map<String, String> env = config.textsByName("env");
    env.keySet().forEach(name -> variable(config, "env", name));
    List<String> passed = config.texts("passEnv");
    passed.forEach(name -> variable(config, "passEnv", name));
    return new PluginProcess(user == null ? "" : user, env, passed);
  }

  private static void variable(MonitorKeys config, String key, String name) {
    if (!PluginProcess.isVariable(name)) {
      config.error(key, "\"" + name + "\" is no name of a variable, such as NODE_NAME");
    }
  }

  private @Nullable PluginRule rule(MonitorKeys keys) {
    Consequence consequence = common.consequence(keys);
    String path = keys.required("path", "the program to run");
    List<String> args = keys.texts("args");
    Duration ruleTimeout = keys.positive("timeout", timeout);
    if (ruleTimeout.compareTo(timeout) > 0) {
      keys.error("timeout", "must not be longer than that of pluginConfig");
    }
    Duration ruleInterval = keys.positive("invoke_interval", interval);
    keys.unknown(false, ", ignored");
    return consequence == null
        ? null
        : new PluginRule(consequence, path, args, ruleTimeout, ruleInterval, process);
  }
}
