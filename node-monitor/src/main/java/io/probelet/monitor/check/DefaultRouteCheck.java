package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Checks that there is a default route, for IPv4 or IPv6. */
final class DefaultRouteCheck implements NodeCheck {
  private static final int UP = 0x1;
  private static final int REJECT = 0x200;
  private static final String ANYWHERE = "0".repeat(32);

  private final Path net;

  DefaultRouteCheck(Machine machine) {
    net = machine.proc().resolve("net");
  }

  @Override
  public NodeCheckResult run() throws IOException {
    try {
      return KernelFile.anyLine(net.resolve("route"), 1, DefaultRouteCheck::leadsAnywhere)
              || leadsAnywhereBySix()
          ? NodeCheckResult.OK
          : new NodeCheckResult.Problem("no default route for IPv4 or IPv6");
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException strange) {
      throw new IOException(net + "/route has an unexpected format", strange);
    }
  }

  private boolean leadsAnywhereBySix() throws IOException {
    try {
      return KernelFile.anyLine(
          net.resolve("ipv6_route"), 0, DefaultRouteCheck::leadsAnywhereBySix);
    } catch (NoSuchFileException without) {
      return false;
    }
  }

  /** Iface Destination Gateway Flags RefCnt Use Metric Mask …, in hexadecimal. */
  private static boolean leadsAnywhere(String line) {
    String[] words = line.strip().split("\\s+", -1);
    int flags = Integer.parseInt(words[3], 16);
    return words[1].equals("00000000")
        && words[7].equals("00000000")
        && (flags & UP) != 0
        && (flags & REJECT) == 0;
  }

  /** Destination, its length, source, its length, next hop, metric, counts, flags, Iface. */
  private static boolean leadsAnywhereBySix(String line) {
    String[] words = line.strip().split("\\s+", -1);
    long flags = Long.parseLong(words[8], 16);
    return words[0].equals(ANYWHERE)
        && words[1].equals("00")
        && !words[9].equals("lo")
        && (flags & UP) != 0
        && (flags & REJECT) == 0;
  }
}
