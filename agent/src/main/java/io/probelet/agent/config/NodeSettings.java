package io.probelet.agent.config;

import java.nio.file.Path;
import java.util.List;

/**
 * How the node an agent runs on is watched.
 *
 * @param monitors files and folders of monitors; {@code default} stands for what is built in, and
 *     {@code none} for nothing
 * @param stateFolder where is kept what a restart begins with
 */
public record NodeSettings(List<Path> monitors, Path stateFolder) {
  /** Copies the list. */
  public NodeSettings {
    monitors = List.copyOf(monitors);
  }
}
