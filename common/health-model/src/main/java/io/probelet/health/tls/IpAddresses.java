package io.probelet.health.tls;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses and compares IP addresses, without DNS lookups. */
final class IpAddresses {
  private static final Pattern IPV4 =
      Pattern.compile("((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(?!$)|$)){4}");
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f]*:[0-9A-Fa-f:.]{1,44}");
  private static final int MAPPED_PREFIX = 12;
  private static final Pattern ZEROS = Pattern.compile("(?<![0-9a-f])0(:0)+(?![0-9a-f])");

  private IpAddresses() {}

  /** {@return the address's bytes, 4 also for one of IPv4 within IPv6; null if it is none} */
  static byte @Nullable [] parse(String text) {
    boolean ipv4 = IPV4.matcher(text).matches();
    if (!ipv4 && !IPV6.matcher(text).matches()) {
      return null;
    }
    try {
      return InetAddress.getByName(ipv4 ? text : "[" + text + "]").getAddress();
    } catch (UnknownHostException malformed) {
      return null;
    }
  }

  /** {@return whether both are the same address, in whichever form} */
  static boolean same(byte[] one, byte[] other) {
    return Arrays.equals(shortest(one), shortest(other));
  }

  private static byte[] shortest(byte[] address) {
    boolean mapped = address.length == 16 && address[10] == -1 && address[11] == -1;
    for (int i = 0; mapped && i < MAPPED_PREFIX - 2; i++) {
      mapped = address[i] == 0;
    }
    return mapped ? Arrays.copyOfRange(address, MAPPED_PREFIX, address.length) : address;
  }

  static String text(byte[] address) {
    try {
      String full = InetAddress.getByAddress(address).getHostAddress();
      String shorter = full.indexOf(':') < 0 ? full : ZEROS.matcher(full).replaceFirst(":");
      return shorter.equals(full)
          ? full
          : shorter.replaceAll(":{2,}", "::").replaceAll("^:$", "::");
    } catch (UnknownHostException impossible) {
      throw new IllegalArgumentException("4 or 16 bytes", impossible);
    }
  }
}
