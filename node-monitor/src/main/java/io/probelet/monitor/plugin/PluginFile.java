package io.probelet.monitor.plugin;

import io.probelet.monitor.check.Machine;
import io.probelet.process.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The location of a plugin's program, which determines where it runs. */
sealed interface PluginFile {
  /** It is in this program's own filesystem and runs there. */
  record Here() implements PluginFile {}

  /**
   * It runs in the node's root directory, with the node's interpreter.
   *
   * @param program its path there; only a name if it is carried
   * @param carried an open file of this filesystem; empty for a file of the node
   */
  record OnNode(String program, Optional<Path> carried) implements PluginFile {}

  /** It does not exist. */
  record Absent() implements PluginFile {}

  /** It exists but is not executable. */
  record NotExecutable() implements PluginFile {}

  /** The node's search path for a plugin without a folder. */
  String NODE_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  /**
   * Finds a plugin. If the node's root directory is not this program's own, as in a container, the
   * plugin runs there, unless this filesystem has it and all that is required to start it.
   */
  static PluginFile find(String path, Machine machine, Map<String, String> ours) {
    boolean apart = !machine.root().equals(Path.of("/"));
    if (!path.contains("/")) {
      return apart && Programs.find(path, searched(ours)).isEmpty()
          ? named(path, machine)
          : new Here();
    }
    Path here = Path.of(path);
    if (Files.exists(here)) {
      if (!Files.isExecutable(here)) {
        return new NotExecutable();
      }
      return apart && !PluginStart.canStart(searched(ours))
          ? new OnNode(path, Optional.of(here.toAbsolutePath()))
          : new Here();
    }
    if (!apart || !here.isAbsolute()) {
      return new Absent();
    }
    Path seen = machine.seen(here);
    if (!Files.exists(seen)) {
      return new Absent();
    }
    return Files.isExecutable(seen) ? new OnNode(path, Optional.empty()) : new NotExecutable();
  }

  private static PluginFile named(String name, Machine machine) {
    for (String folder : NODE_PATH.split(":", -1)) {
      Path path = Path.of(folder, name);
      Path seen = machine.seen(path);
      if (Files.isRegularFile(seen) && Files.isExecutable(seen)) {
        return new OnNode(path.toString(), Optional.empty());
      }
    }
    return new Absent();
  }

  private static String searched(Map<String, String> ours) {
    return ours.getOrDefault("PATH", NODE_PATH);
  }
}
