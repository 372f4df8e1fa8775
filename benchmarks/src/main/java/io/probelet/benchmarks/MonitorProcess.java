package io.probelet.benchmarks;

import io.probelet.agent.node.CriRuntimeStatus;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.node.MonitorListener;
import io.probelet.monitor.node.MonitorSettings;
import io.probelet.monitor.node.NodeEvent;
import io.probelet.monitor.node.NodeMonitor;
import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.monitor.rule.LinePattern;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.Monitor.LogRule;
import io.probelet.monitor.rule.Monitor.PluginRule;
import io.probelet.monitor.rule.PluginProcess;
import io.probelet.runtime.cri.CriEndpoint;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Monitors a node like {@code probelet run}, and prints every event on standard output, until its
 * input ends. The first argument names what it monitors, the second a folder for its state, the
 * third a substitute for {@code /dev/kmsg}.
 */
final class MonitorProcess {
  static final String STARTED = "started";

  /** The prefix of the lines for which the harness searches a log. */
  static final String MARKER = "benchmark marker ";

  private static final int RULES = 30;
  private static final int PLUGINS = 50;
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private MonitorProcess() {}

  public static void main(String[] args) throws IOException {
    Quiet.logs();
    Path folder = Path.of(args[1]);
    Machine machine =
        Machine.of(
            Path.of("/"),
            folder,
            CriEndpoint.find().map(socket -> new CriRuntimeStatus(() -> Optional.of(socket))),
            SystemClock.INSTANCE,
            new Random());
    MonitorSettings settings =
        MonitorSettings.of(folder.resolve("state.json"), Path.of(args[2]), machine);
    try (NodeMonitor monitor = new NodeMonitor(settings, SystemClock.INSTANCE)) {
      monitor.addListener(new EventPrinter());
      monitor.watch(
          switch (args[0]) {
            case "lines" -> List.of(lines());
            case "plugins" -> List.of(plugins());
            default -> DefaultMonitors.with(List.of());
          });
      OUT.println(STARTED);
      while (System.in.read() >= 0) {
        // until the harness is done
      }
    }
  }

  /** The built-in kernel rules, and more of the same kind, thirty in total. */
  private static Monitor lines() {
    Monitor.Log kernel = (Monitor.Log) DefaultMonitors.with(List.of()).getFirst();
    List<LogRule> rules = new ArrayList<>(kernel.rules());
    while (rules.size() < RULES - 1) {
      rules.add(rule("Bench" + rules.size(), "widget \\w+" + rules.size() + " failed .*"));
    }
    rules.add(rule("Marker", MARKER + "\\d+"));
    return new Monitor.Log(
        kernel.source(),
        true,
        kernel.conditions(),
        kernel.input(),
        kernel.bufferSize(),
        Duration.ofHours(1),
        kernel.delay(),
        rules);
  }

  private static LogRule rule(String reason, String pattern) {
    return new LogRule(
        new Consequence.EventOnly(reason, EvidenceThreshold.NONE),
        LinePattern.parse(pattern),
        null,
        "",
        Set.of());
  }

  private static Monitor plugins() {
    List<PluginRule> rules = new ArrayList<>();
    for (int i = 0; i < PLUGINS; i++) {
      rules.add(
          new PluginRule(
              new Consequence.EventOnly("Plugin" + i, EvidenceThreshold.NONE),
              "/bin/true",
              List.of(),
              Duration.ofSeconds(5),
              INTERVAL,
              PluginProcess.DEFAULT));
    }
    return new Monitor.Plugins("plugins", true, List.of(), 80, 3, false, rules);
  }

  private static final class EventPrinter implements MonitorListener {
    @Override
    public void happened(NodeEvent event) {
      OUT.println(event.message());
    }
  }
}
