package io.probelet.agent.node;

import io.probelet.agent.console.NodeLog;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.node.MonitorSettings;
import io.probelet.monitor.node.NodeMonitor;
import io.probelet.monitor.node.NodeSnapshot;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The node being watched, until it is closed. */
public final class NodeWatch implements AutoCloseable {
  private static final String STATE = "node-monitor.json";

  private final NodeMonitor monitor;
  private final WatchedMonitors monitors;

  private NodeWatch(NodeMonitor monitor, WatchedMonitors monitors) {
    this.monitor = monitor;
    this.monitors = monitors;
  }

  /**
   * Begins.
   *
   * @param monitors what is watched; nothing is shown if that is nothing
   * @param machine the machine that is watched
   * @param keepsState whether a restart goes on from what is known at the end
   */
  public static NodeWatch start(
      Path kmsg,
      WatchedMonitors monitors,
      Machine machine,
      boolean keepsState,
      Consumer<Supplier<CompletableFuture<NodeSnapshot>>> shown) {
    NodeMonitor monitor = open(kmsg, machine, keepsState);
    if (!monitors.first().monitors().isEmpty()) {
      shown.accept(monitor::snapshot);
    }
    monitor.watch(monitors.first().monitors());
    monitors.watch(monitor::watch);
    return new NodeWatch(monitor, monitors);
  }

  /**
   * Makes a monitor of a machine that watches nothing yet and logs to the console what happens.
   *
   * @param keepsState whether a restart goes on from what is known at the end
   */
  public static NodeMonitor open(Path kmsg, Machine machine, boolean keepsState) {
    MonitorSettings settings =
        MonitorSettings.of(keepsState ? machine.stateFolder().resolve(STATE) : null, kmsg, machine);
    NodeMonitor monitor = new NodeMonitor(settings, machine.time());
    monitor.addListener(new NodeLog(machine.time()));
    return monitor;
  }

  @Override
  public void close() {
    monitors.close();
    monitor.close();
  }
}
