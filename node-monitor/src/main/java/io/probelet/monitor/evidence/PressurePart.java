package io.probelet.monitor.evidence;

import io.probelet.monitor.check.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The share of time in which tasks stall on processors, memory or disks. */
record PressurePart(Machine machine) implements EvidenceCollector {
  private static final Pattern AVERAGE = Pattern.compile("avg60=([0-9]{1,3}(?:\\.[0-9]{1,2})?)");
  private static final double SOME_PERCENT = 40;
  private static final double ALL_PERCENT = 10;

  @Override
  public void collect(EvidenceOutput out) throws IOException {
    Path folder = machine.proc().resolve("pressure");
    if (!Files.isDirectory(folder)) {
      throw new IOException("kernel reports no pressure (PSI): " + folder + " does not exist");
    }
    for (String resource : List.of("cpu", "memory", "io")) {
      for (String line : KernelFiles.copy(folder.resolve(resource), out)) {
        Matcher average = AVERAGE.matcher(line);
        boolean all = line.startsWith("full");
        if (average.find()
            && Double.parseDouble(average.group(1)) > (all ? ALL_PERCENT : SOME_PERCENT)) {
          out.highlight(
              "%s tasks stalled on %s %s %% of the time"
                  .formatted(all ? "all" : "some", resource, average.group(1)));
        }
      }
    }
  }
}
