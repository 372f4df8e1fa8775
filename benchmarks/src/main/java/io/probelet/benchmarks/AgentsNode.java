package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.node.Boot;
import io.probelet.monitor.node.NodeSources;
import io.probelet.monitor.plugin.PluginResult;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.source.LineSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * What the monitor of a fleet's agent reads: all is well, until the node's file system fails. The
 * kernel then logs it, and the built-in check confirms it.
 */
final class AgentsNode implements NodeSources {
  private static final String FAILURE = "XFS (sda1): I/O Error Detected. Shutting down filesystem";

  private final Boot boot = new Boot("fleet", SystemClock.INSTANCE.wallTime());
  private final BlockingQueue<String> kernel = new LinkedBlockingQueue<>();
  private volatile boolean failed;

  /** Makes the file system fail, or heals it. */
  void fail(boolean now) {
    failed = now;
    kernel.add(FAILURE); // has the check run at once
  }

  @Override
  public Boot boot() {
    return boot;
  }

  @Override
  public Path sys() {
    return Path.of("/sys");
  }

  @Override
  public ZoneId zone() {
    return ZoneOffset.UTC;
  }

  @Override
  public NodeCheck check(CheckSpec spec) {
    return () ->
        failed && spec instanceof CheckSpec.FilesystemShutdown
            ? new NodeCheckResult.Problem("sda1 has shut down")
            : NodeCheckResult.OK;
  }

  @Override
  public PluginResult run(Monitor.PluginRule rule, int maxOutputLength) {
    throw new UnsupportedOperationException("there are no plugins");
  }

  @Override
  public LineSource log(Monitor.Log log, Instant notBefore, String position) {
    return log.input() instanceof LogInput.Kmsg ? new Kernel() : new Absent();
  }

  private final class Kernel implements LineSource {
    private static final String END = "";

    @Override
    public void run(Sink sink) throws InterruptedException {
      sink.upToDate();
      for (String line = kernel.take(); !line.equals(END); line = kernel.take()) {
        sink.line(line, SystemClock.INSTANCE.wallTime());
      }
    }

    @Override
    public String position() {
      return "";
    }

    @Override
    public void close() {
      kernel.add(END);
    }
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
