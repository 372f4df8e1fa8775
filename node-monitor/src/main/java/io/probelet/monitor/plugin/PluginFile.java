package io.probelet.monitor.plugin;

import io.probelet.monitor.check.Machine;
import io.probelet.process.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where a plugin's program is, and so where it runs. */
sealed interface PluginFile {
  /** In this program's own filesystem, where it runs. */
  record Here() implements PluginFile {}

  /**
   * It runs in the node's root directory, with the node's interpreter.
   *
   * @param program its path there; a name only if it is carried
   * @param carried a file of ours that is taken along; empty for one of the node
   */
  record OnNode(String program, Optional<Path> carried) implements PluginFile {}

  /** There is none. */
  record Absent() implements PluginFile {}

  /** There is one, which nobody may run. */
  record NotExecutable() implements PluginFile {}

  /** Searched on the node for a plugin without a folder. */
  String NODE_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  /**
   * Finds a plugin. Where the node's root directory is not this program's own, as in a container,
   * it runs there, unless it is here with all that it takes to start it.
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
