package io.probelet.agent.node;

import io.probelet.agent.manifest.Monitors;
import io.probelet.health.SystemClock;
import io.probelet.nodehealth.monitor.check.Checks;
import io.probelet.nodehealth.monitor.check.Machine;
import io.probelet.nodehealth.monitor.check.RuntimeLook;
import io.probelet.nodehealth.monitor.rule.DefaultMonitors;
import io.probelet.nodehealth.monitor.rule.LogInput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that watches its node. */
public final class NodeOptions {
  /** Stands for what is built in. */
  public static final Path DEFAULTS = Path.of("default");

  private static final Path NOTHING = Path.of("none");

  @Option(
      names = "--monitor",
      paramLabel = "PATH",
      split = ",",
      description = {
        "Monitor files, or directories of them, that say how this node is watched;",
        "`default` stands for what is built in, `none` for nothing (default: default)."
      })
  private @Nullable List<Path> monitors;

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

  @Option(
      names = "--host-root",
      paramLabel = "DIR",
      description =
          "Where the node's root directory is mounted, when this runs in a container (default: /).")
  private Path hostRoot = Path.of("/");

  /** Created by the command line. */
  public NodeOptions() {}

  /**
   * {@return the machine that is watched}
   *
   * @param stateFolder where this program keeps its state
   * @param runtime asks the container runtime; empty where there is none
   */
  public Machine machine(Path stateFolder, Optional<RuntimeLook> runtime) {
    return Machine.of(hostRoot, stateFolder, runtime, SystemClock.INSTANCE);
  }

  /**
   * Reads what is to be watched.
   *
   * @param machine the machine, which decides what of the defaults makes sense
   * @param otherwise what that is unless an option says so
   * @return the monitors, and what is wrong with them
   */
  public Monitors read(Machine machine, List<Path> otherwise) {
    List<Path> files = new ArrayList<>(detectorFiles);
    if (monitors != null) {
      files.addAll(monitors);
    } else if (detectorFiles.isEmpty()) {
      files.addAll(otherwise);
    }
    boolean defaults = files.removeIf(DEFAULTS::equals);
    files.removeIf(NOTHING::equals);
    Monitors read = Monitors.read(files);
    if (!defaults) {
      return read;
    }
    return new Monitors(
        DefaultMonitors.with(read.monitors(), spec -> Checks.makesSense(spec, machine)),
        read.problems());
  }

  /** {@return where the kernel's messages are read} */
  Path kmsg() {
    return kmsg;
  }
}
