package io.probelet.agent.cluster.restart;

import io.probelet.health.PressureFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Whether the node is starved, by the kernel's pressure stall information: for how much of the last
 * ten seconds nothing on it could go on for want of memory or disk, or something for want of CPU.
 */
final class Pressure {
  /** A resource, the line that counts, and the percentage from which the node counts as starved. */
  private record Limit(String resource, String line, double percent) {}

  private static final List<Limit> LIMITS =
      List.of(
          new Limit("memory", "full", 30),
          new Limit("io", "full", 80),
          new Limit("cpu", "some", 95));

  private final Path folder;

  /** Creates a reader; {@code folder} is /proc/pressure, which old kernels do not have. */
  Pressure(Path folder) {
    this.folder = folder;
  }

  /** {@return what the node lacks; empty when it has what it needs or that is unknown} */
  Optional<String> starved() {
    for (Limit limit : LIMITS) {
      double percent = percent(limit);
      if (percent >= limit.percent()) {
        return Optional.of(
            "the node is starved: %s pressure %s %.0f %%"
                .formatted(limit.resource(), limit.line(), percent));
      }
    }
    return Optional.empty();
  }

  private double percent(Limit limit) {
    try {
      return PressureFile.read(folder.resolve(limit.resource()))
          .average(limit.line(), "avg10")
          .orElse(0);
    } catch (IOException unknown) {
      return 0;
    }
  }
}
