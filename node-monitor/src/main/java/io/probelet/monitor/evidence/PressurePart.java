package io.probelet.monitor.evidence;

import io.probelet.health.PressureFile;
import io.probelet.monitor.check.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The share of time in which tasks stall on processors, memory or disks. */
record PressurePart(Machine machine) implements EvidenceCollector {
  private static final String WINDOW = "avg60";
  private static final double SOME_PERCENT = 40;
  private static final double ALL_PERCENT = 10;

  @Override
  public void collect(EvidenceOutput out) throws IOException {
    Path folder = machine.proc().resolve("pressure");
    if (!Files.isDirectory(folder)) {
      throw new IOException("kernel reports no pressure (PSI): " + folder + " does not exist");
    }
    for (String resource : List.of("cpu", "memory", "io")) {
      PressureFile file = PressureFile.of(KernelFiles.copy(folder.resolve(resource), out));
      highlight("some", file.average("some", WINDOW), SOME_PERCENT, resource, out);
      highlight("all", file.average("full", WINDOW), ALL_PERCENT, resource, out);
    }
  }

  private static void highlight(
      String which, OptionalDouble average, double limit, String resource, EvidenceOutput out) {
    if (average.isPresent() && average.getAsDouble() > limit) {
      out.highlight(
          String.format(
              Locale.ROOT,
              "%s tasks stalled on %s %.2f %% of the time",
              which,
              resource,
              average.getAsDouble()));
    }
  }
}
