package io.probelet.monitor.evidence;

import io.probelet.monitor.check.Machine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/** Interfaces with their counters, routes, and network statistics of the kernel. */
record NetworkPart(Machine machine) implements EvidenceCollector {
  private static final List<String> OTHERS =
      List.of("ipv6_route", "if_inet6", "arp", "sockstat", "snmp");

  private static final String ANYWHERE = "00000000";

  @Override
  public void collect(EvidenceOutput out) throws IOException {
    Path net = machine.proc().resolve("net"); // agents run in the node's network
    for (String line : KernelFiles.lines(net.resolve("dev"))) {
      out.line(line);
    }
    boolean anywhere = false;
    out.line("== IPv4 routes");
    for (String line : KernelFiles.lines(net.resolve("route")).stream().skip(1).toList()) {
      String[] words = line.strip().split("\\s+", -1);
      out.line(words.length < 8 ? line : route(words));
      anywhere |= words.length > 1 && words[1].equals(ANYWHERE);
    }
    for (String other : OTHERS) {
      List<String> lines = KernelFiles.copy(net.resolve(other), out);
      anywhere |= other.equals("ipv6_route") && lines.stream().anyMatch(NetworkPart::leadsAnywhere);
    }
    if (!anywhere) {
      out.highlight("no default route");
    }
  }

  /** Iface Destination Gateway Flags RefCnt Use Metric Mask …, addresses in hexadecimal. */
  private static String route(String[] words) {
    return "%s/%s via %s dev %s flags %s metric %s"
        .formatted(
            address(words[1]), address(words[7]), address(words[2]), words[0], words[3], words[6]);
  }

  /** The kernel writes it in host byte order, lowest byte first. */
  private static String address(String hex) {
    try {
      byte[] bytes = HexFormat.of().parseHex(hex);
      for (int at = 0; at < bytes.length / 2; at++) {
        byte low = bytes[at];
        bytes[at] = bytes[bytes.length - 1 - at];
        bytes[bytes.length - 1 - at] = low;
      }
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (IllegalArgumentException | UnknownHostException strange) {
      return hex;
    }
  }

  private static boolean leadsAnywhere(String line) {
    return line.startsWith("0".repeat(32) + " 00 ") && !line.endsWith(" lo");
  }
}
