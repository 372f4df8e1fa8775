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

  /** How many connections stand in the queue of a Java server socket on 127.0.0.1. */
  public static int waitingToBeAccepted(int port) throws IOException {
    // Java's are IPv6 sockets where there is IPv6. Of one that listens the kernel tells the queue's
    // length where it tells how much there is to read of others.
    String local = String.format("0100007F:%04X", port);
    int waiting = 0;
    for (String name : List.of("tcp", "tcp6")) {
      Path table = Path.of("/proc/net", name);
      for (String line : Files.exists(table) ? Files.readAllLines(table) : List.<String>of()) {
        String[] fields = line.trim().split("\\s+", -1);
        if (fields[1].endsWith(local) && fields[3].equals("0A")) {
          waiting += Integer.parseInt(fields[4].substring(fields[4].indexOf(':') + 1), 16);
        }
      }
    }
    return waiting;
  }

  /** How many files this process has open. */
  public static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }
}
