package io.probelet.cli.agent;

import io.probelet.agent.config.NodeSettings;
import io.probelet.agent.node.MonitorChoice;
import io.probelet.agent.node.SystemStatsFile;
import io.probelet.agent.node.WatchedMonitors;
import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.health.FileKind;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.check.RuntimeQuery;
import io.probelet.monitor.rule.LogInput;
import io.probelet.web.http.DetectorPorts;
import io.probelet.web.http.ListenAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of every command that monitors its node. */
public final class NodeOptions {

  @Option(
      names = "--monitor",
      paramLabel = "PATH",
      split = ",",
      description =
          "Monitor files, or directories of them. `default` stands for the built-in monitors,"
              + " `none` turns node monitoring off (default: default).")
  private @Nullable List<Path> monitors;

  @Option(
      names = {
        "--config.system-log-monitor",
        "--config.custom-plugin-monitor",
        "--system-log-monitors",
        "--custom-plugin-monitors"
      },
      paramLabel = "FILE",
      split = ",",
      description = "The same as --monitor, with node-problem-detector's names.")
  private List<Path> detectorFiles = List.of();

  @Option(
      names = "--config.system-stats-monitor",
      paramLabel = "FILE",
      split = ",",
      description =
          "System stats files of node-problem-detector, which choose machine metrics to export.")
  private List<Path> statsFiles = List.of();

  @Option(
      names = "--npd-compat",
      description =
          "Also serve /conditions, /healthz and /metrics at node-problem-detector's addresses;"
              + " --address, --port and --prometheus-… change them.")
  private boolean detector;

  @Option(
      names = "--address",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "With --npd-compat: host of /conditions (default: ${DEFAULT-VALUE}).")
  private String detectorHost;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "20256",
      description =
          "With --npd-compat: port of /conditions, 0 for none (default: ${DEFAULT-VALUE}).")
  private int detectorPort;

  @Option(
      names = "--prometheus-address",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "With --npd-compat: host of /metrics (default: ${DEFAULT-VALUE}).")
  private String detectorMetricsHost;

  @Option(
      names = "--prometheus-port",
      paramLabel = "PORT",
      defaultValue = "20257",
      description = "With --npd-compat: port of /metrics, 0 for none (default: ${DEFAULT-VALUE}).")
  private int detectorMetricsPort;

  @Option(
      names = "--kmsg",
      paramLabel = "PATH",
      description =
          "File or FIFO to read kernel messages from instead of /dev/kmsg, for trials; unless it is"
              + " a device, `probelet run` keeps no node state.")
  private Path kmsg = LogInput.Kmsg.DEVICE;

  @Option(
      names = "--host-root",
      paramLabel = "DIR",
      description =
          "Where the node's root directory is mounted, when running in a container (default: /).")
  private Path hostRoot = Path.of("/");

  @Mixin private DetectorFlags detectorFlags = new DetectorFlags();

  /** Created by the command line. */
  public NodeOptions() {}

  /** {@return whether the command line has flags of node-problem-detector} */
  public boolean isDetectorCommandLine() {
    return detector || !detectorFiles.isEmpty() || !statsFiles.isEmpty();
  }

  /** {@return node-problem-detector's own flags} */
  public DetectorFlags detectorFlags() {
    return detectorFlags;
  }

  /**
   * {@return warnings about options without effect, for the user}
   *
   * @param writesNode whether the command writes to the API server
   */
  public List<String> warnings(CommandSpec spec, boolean writesNode) {
    List<String> warnings = new ArrayList<>(detectorFlags.warnings(writesNode));
    if (!detector) {
      warnings.addAll(
          IneffectiveOptions.warnings(
              spec,
              "without --npd-compat",
              List.of("--address", "--port", "--prometheus-address", "--prometheus-port")));
    }
    if (!writesNode) {
      warnings.addAll(
          IneffectiveOptions.warnings(
              spec, "with `probelet run`, which uses no API server", DetectorFlags.OF_API_SERVER));
    }
    return warnings;
  }

  /**
   * {@return whether node monitoring is off}
   *
   * @param otherwise the monitors unless an option names some
   */
  public boolean watchesNothing(List<Path> otherwise) {
    MonitorChoice choice = choice(otherwise);
    return choice.files().isEmpty() && !choice.defaults();
  }

  /**
   * {@return the machine to monitor}
   *
   * @param runtime queries the container runtime; empty without one
   */
  public Machine machine(Path stateFolder, Optional<RuntimeQuery> runtime) {
    return Machine.of(hostRoot, stateFolder, runtime, SystemClock.INSTANCE, new Random());
  }

  /** {@return where the node's root directory is seen} */
  Path hostRoot() {
    return hostRoot;
  }

  /**
   * Reads monitor files.
   *
   * @return the monitors, and the problems found in their files
   */
  public WatchedMonitors read(MonitorChoice choice) {
    return new WatchedMonitors(
        choice, SystemStatsFile.read(named(statsFiles)), SystemClock.INSTANCE);
  }

  /**
   * Chooses the monitors, without reading them.
   *
   * @param otherwise the monitors unless an option names some
   */
  public MonitorChoice choice(List<Path> otherwise) {
    List<Path> files = new ArrayList<>(prevailing(otherwise));
    boolean defaults = files.removeIf(NodeSettings.BUILT_IN::equals);
    files.removeIf(NodeSettings.NONE::equals);
    return new MonitorChoice(files, defaults);
  }

  /** {@return the contradiction between the named monitors; empty if there is none} */
  public Optional<String> contradiction() {
    List<Path> named = prevailing(List.of());
    return named.size() > 1 && named.contains(NodeSettings.NONE)
        ? Optional.of("--monitor none has no effect beside other monitors.")
        : Optional.empty();
  }

  /**
   * {@return the monitors, as a user writes them}
   *
   * @param otherwise the monitors unless an option names some
   */
  public List<Path> prevailing(List<Path> otherwise) {
    List<Path> files = new ArrayList<>(named(detectorFiles));
    if (monitors != null) {
      files.addAll(monitors);
    } else if (files.isEmpty()) {
      files.addAll(otherwise);
    }
    return files;
  }

  /** An option with an empty value names no file, as in node-problem-detector. */
  private static List<Path> named(List<Path> files) {
    return files.stream().filter(file -> !file.toString().isEmpty()).toList();
  }

  /**
   * {@return node-problem-detector's addresses, with {@code --npd-compat}}
   *
   * @throws IllegalArgumentException if an address is invalid; the message is for the user
   */
  public Optional<DetectorPorts> detectorPorts() {
    return detector
        ? Optional.of(
            new DetectorPorts(
                detectorFlags.exporting() ? address(detectorHost, detectorPort) : Optional.empty(),
                address(detectorMetricsHost, detectorMetricsPort)))
        : Optional.empty();
  }

  /** As in node-problem-detector, port 0 turns the endpoint off. */
  private static Optional<ListenAddress> address(String host, int port) {
    return port == 0
        ? Optional.empty()
        : Optional.of(
            ListenAddress.parse((host.contains(":") ? "[" + host + "]" : host) + ":" + port));
  }

  /**
   * {@return whether kernel messages come from a file of the user; their results must not outlive
   * this process}
   */
  public boolean isTrial() {
    if (kmsg.equals(LogInput.Kmsg.DEVICE)) {
      return false;
    }
    try {
      return FileKind.of(kmsg) != FileKind.CHARACTER_DEVICE;
    } catch (IOException missing) {
      return true;
    }
  }

  /** {@return the source of kernel messages} */
  public Path kmsg() {
    return kmsg;
  }
}
