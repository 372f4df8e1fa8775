package io.probelet.runtime.evidence;

import io.probelet.health.PressureFile;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads how long tasks have waited for resources (PSI). */
public final class StallReader {
  private StallReader() {}

  /**
   * {@return how long tasks have waited on the node since it started; empty where the kernel does
   * not count that}
   *
   * @param proc where {@code /proc} is mounted, of whatever namespace
   */
  public static Optional<StallTimes> ofNode(Path proc) {
    return read(proc.resolve("pressure"), "");
  }

  /** {@return the same of a control group of version 2} */
  static Optional<StallTimes> ofGroup(Path folder) {
    return read(folder, ".pressure");
  }

  private static Optional<StallTimes> read(Path folder, String suffix) {
    try {
      OptionalLong cpu = PressureFile.read(folder.resolve("cpu" + suffix)).total("some");
      OptionalLong memory = PressureFile.read(folder.resolve("memory" + suffix)).total("some");
      OptionalLong io = PressureFile.read(folder.resolve("io" + suffix)).total("some");
      return cpu.isEmpty() || memory.isEmpty() || io.isEmpty()
          ? Optional.empty()
          : Optional.of(new StallTimes(cpu.getAsLong(), memory.getAsLong(), io.getAsLong()));
    } catch (IOException notCounted) {
      return Optional.empty();
    }
  }
}
