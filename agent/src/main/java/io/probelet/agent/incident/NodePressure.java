package io.probelet.agent.incident;

import io.probelet.health.PressureFile;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads how long tasks of the node have waited, from {@code /proc/pressure}. */
public final class NodePressure {
  private static final Path FOLDER = Path.of("/proc/pressure");

  private NodePressure() {}

  /** {@return the times since the node's start; empty if its kernel does not count them} */
  public static Optional<StallTimes> read() {
    try {
      return Optional.of(new StallTimes(total("cpu"), total("memory"), total("io")));
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }

  private static long total(String resource) throws IOException {
    return PressureFile.read(FOLDER.resolve(resource))
        .total("some")
        .orElseThrow(() -> new IOException("no total"));
  }
}
