package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The number of outgoing TCP connections of this machine's programs, counted by the kernel: a probe
 * that is closed by reset disappears before its target accepts it.
 */
final class KernelCount {
  private static final String OPENED = "ActiveOpens";

  private KernelCount() {}

  static long opened() throws IOException {
    return opened(Files.readString(Path.of("/proc/net/snmp")));
  }

  /** Reads it from a line of names and the following line of figures. */
  static long opened(String snmp) {
    List<String> tcp = snmp.lines().filter(line -> line.startsWith("Tcp:")).toList();
    if (tcp.size() == 2) {
      int column = List.of(tcp.getFirst().split(" ", -1)).indexOf(OPENED);
      String[] figures = tcp.getLast().split(" ", -1);
      if (column > 0 && column < figures.length) {
        return Long.parseLong(figures[column]);
      }
    }
    throw new IllegalArgumentException(
        "/proc/net/snmp has two lines of Tcp: with a column " + OPENED + ", found: " + tcp);
  }
}
