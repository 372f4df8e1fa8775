package io.probelet.probe.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the kernel knows of our sockets and files. */
public final class Sockets {
  private static final Map<String, String> STATES =
      Map.of("01", "ESTABLISHED", "04", "FIN_WAIT1", "05", "FIN_WAIT2", "06", "TIME_WAIT");

  private Sockets() {}

  /** The states of all IPv4 sockets whose peer listens on a port; both ends are on loopback. */
  public static List<String> statesOfClientsTo(int port) throws IOException {
    String peer = String.format("0100007F:%04X", port);
    try (Stream<String> lines = Files.lines(Path.of("/proc/net/tcp"))) {
      return lines
          .map(line -> line.trim().split("\\s+"))
          .filter(fields -> fields[2].equals(peer))
          .map(fields -> STATES.getOrDefault(fields[3], fields[3]))
          .toList();
    }
  }

  /** How many files this process has open. */
  public static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }
}
