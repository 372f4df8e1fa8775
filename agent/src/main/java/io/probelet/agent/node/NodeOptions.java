package io.probelet.agent.node;

import io.probelet.agent.manifest.Monitors;
import io.probelet.nodehealth.monitor.rule.DefaultMonitors;
import io.probelet.nodehealth.monitor.rule.LogInput;
import io.probelet.nodehealth.monitor.rule.Monitor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of every command that watches its node. */
public final class NodeOptions {
  private static final Path DEFAULTS = Path.of("default");
  private static final Path NOTHING = Path.of("none");

  @Option(
      names = "--monitor",
      paramLabel = "PATH",
      split = ",",
      description = {
        "Monitor files, or directories of them, that say how this node is watched;",
        "`default` stands for what is built in, `none` for nothing (default: default)."
      })
  private List<Path> monitors = List.of(DEFAULTS);

  @Option(
      names = {"--config.system-log-monitor", "--config.custom-plugin-monitor"},
      paramLabel = "FILE",
      split = ",",
      description = "The same, by the names node-problem-detector has for it.")
  private List<Path> detectorFiles = List.of();

  @Option(
      names = "--kmsg",
      paramLabel = "PATH",
      description =
          "Read instead of /dev/kmsg: a file or FIFO with kernel messages, for trying out.")
  private Path kmsg = LogInput.Kmsg.DEVICE;

  /** Created by the command line. */
  public NodeOptions() {}

  /** {@return what is to be watched, and what is wrong with it} */
  public Monitors read() {
    List<Path> files = new ArrayList<>(detectorFiles);
    boolean chosen = !monitors.equals(List.of(DEFAULTS));
    if (chosen || detectorFiles.isEmpty()) {
      files.addAll(monitors);
    }
    boolean defaults = files.removeIf(DEFAULTS::equals);
    files.removeIf(NOTHING::equals);
    Monitors read = Monitors.read(files);
    if (!defaults) {
      return read;
    }
    List<Monitor> all = new ArrayList<>(DefaultMonitors.ofThisMachine());
    all.addAll(read.monitors());
    return new Monitors(all, read.problems());
  }

  /** {@return where the kernel's messages are read} */
  Path kmsg() {
    return kmsg;
  }
}
