package io.probelet.monitor.check;

import io.probelet.health.PressureFile;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.rule.CheckSpec;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Checks how much of the time tasks stall on a resource, from the kernel's pressure stall files
 * (PSI).
 */
final class PressureCheck implements NodeCheck {
  private final CheckSpec.Pressure spec;
  private final Path file;
  private final PodUsage usage;

  PressureCheck(CheckSpec.Pressure spec, Machine machine) {
    this.spec = spec;
    usage = new PodUsage(spec.resource(), machine);
    String name = spec.resource().name().toLowerCase(Locale.ROOT);
    file = machine.proc().resolve("pressure").resolve(name);
  }

  @Override
  public NodeCheckResult run() throws IOException {
    CheckSpec.Pressure.Resource resource = spec.resource();
    double waiting = average(resource.line(), resource.average());
    return waiting > spec.maxPercent()
        ? new NodeCheckResult.Problem(
            "%s tasks stalled on %s more than %d %% of the time (%s)"
                    .formatted(
                        resource.line().equals("full") ? "all" : "some",
                        file.getFileName(),
                        spec.maxPercent(),
                        resource.average())
                + usage.largest())
        : NodeCheckResult.OK;
  }

  private double average(String line, String average) throws IOException {
    try {
      return PressureFile.read(file)
          .average(line, average)
          .orElseThrow(() -> new IOException(file + " has no " + line + " with " + average));
    } catch (NoSuchFileException without) {
      throw new UnavailableException(
          Obstacle.NOT_THERE,
          "kernel reports no pressure (PSI): " + file + " does not exist",
          without);
    }
  }
}
