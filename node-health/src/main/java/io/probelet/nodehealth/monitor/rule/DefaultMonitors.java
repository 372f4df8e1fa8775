package io.probelet.nodehealth.monitor.rule;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is watched on an ordinary Linux node when nobody says otherwise. */
public final class DefaultMonitors {
  private static final String FOLDER = "/io/probelet/nodehealth/monitor/defaults/";
  private static final List<Path> JOURNALS =
      List.of(Path.of("/run/log/journal"), Path.of("/var/log/journal"));

  private DefaultMonitors() {}

  /** {@return the monitors that make sense on this machine: the journal's only if it has one} */
  public static List<Monitor> ofThisMachine() {
    List<Monitor> monitors = new ArrayList<>(List.of(read("kernel.json")));
    if (JOURNALS.stream().anyMatch(Files::isDirectory)) {
      monitors.add(read("services.json"));
    }
    return List.copyOf(monitors);
  }

  /**
   * Reads one of the files that are part of the program.
   *
   * @param name {@code kernel.json} or {@code services.json}
   * @return the monitor
   */
  static Monitor read(String name) {
    try (InputStream in = DefaultMonitors.class.getResourceAsStream(FOLDER + name)) {
      MonitorReader.Reading reading = MonitorReader.read(new ObjectMapper().readTree(in));
      return reading
          .monitor()
          .orElseThrow(() -> new IllegalStateException(name + ": " + reading.findings()));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
