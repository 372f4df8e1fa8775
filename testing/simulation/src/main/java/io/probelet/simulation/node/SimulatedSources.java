package io.probelet.simulation.node;

import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.node.Boot;
import io.probelet.monitor.node.NodeSources;
import io.probelet.monitor.plugin.PluginResult;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.source.LineSource;
import io.probelet.simulation.kernel.SimulatedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** What the monitor of an agent's process reads of a simulated node. */
final class SimulatedSources implements NodeSources {
  private static final Duration RUN = Duration.ofMillis(5);

  private final SimulatedNode node;
  private final SimulatedProcess process;

  SimulatedSources(SimulatedNode node, SimulatedProcess process) {
    this.node = node;
    this.process = process;
  }

  @Override
  public Boot boot() {
    return new Boot(
        node.bootId(),
        process.wallTime().minus(node.log().awake()).minusNanos(process.suspendedNanos()));
  }

  @Override
  public Path sys() {
    return node.files().path("/sys");
  }

  @Override
  public ZoneId zone() {
    return ZoneOffset.UTC;
  }

  @Override
  public LineSource log(Monitor.Log log, Instant notBefore, String position) {
    return log.input() instanceof LogInput.Kmsg
        ? node.log().open(process, process.wallTime().minus(node.log().awake()), position)
        : new Absent();
  }

  @Override
  public NodeCheck check(CheckSpec spec) {
    return node.truth().check(spec, process, RUN);
  }

  @Override
  public PluginResult run(Monitor.PluginRule rule, int maxOutputLength) {
    throw new UnsupportedOperationException("plugins are not simulated");
  }

  /** A log that the node does not have. */
  private static final class Absent implements LineSource {
    @Override
    public void run(Sink sink) throws IOException {
      throw new IOException("no such log");
    }

    @Override
    public String position() {
      return "";
    }

    @Override
    public void close() {
      // nothing is open
    }
  }
}
