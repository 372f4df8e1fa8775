package io.probelet.agent.config;

import java.nio.file.Path;
import java.util.List;

/**
 * How the node an agent runs on is watched.
 *
 * @param monitors files and folders of monitors, {@link #BUILT_IN} or {@link #NONE}
 * @param evidence where else bundles of evidence go
 */
public record NodeSettings(List<Path> monitors, Path stateFolder, UploadSettings evidence) {
  /** Written instead of a file, it means the built-in monitors. */
  public static final Path BUILT_IN = Path.of("default");

  /** Written instead of a file, it means that the node is not watched. */
  public static final Path NONE = Path.of("none");

  /** Keeps an unmodifiable copy of the list. */
  public NodeSettings {
    monitors = List.copyOf(monitors);
  }
}
