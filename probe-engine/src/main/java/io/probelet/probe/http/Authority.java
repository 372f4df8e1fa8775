package io.probelet.probe.http;

import org.jspecify.annotations.Nullable;

/**
 * Where a URL points to.
 *
 * @param host name or IP address without brackets, possibly empty
 * @param port 0 to 65535, or -1 if none is given
 */
record Authority(String host, int port) {
  private static final String NEVER_IN_A_HOST = " \"#%/<>?@[\\]^`{|}";

  /** Parses host and port behind an optional user; null if they are malformed. */
  static @Nullable Authority parse(String text) {
    String rest = text.substring(text.lastIndexOf('@') + 1);
    String host;
    if (rest.startsWith("[")) {
      int bracket = rest.indexOf(']');
      if (bracket < 0) {
        return null;
      }
      host = rest.substring(1, bracket);
      rest = rest.substring(bracket + 1);
    } else {
      int colon = rest.indexOf(':');
      host = colon < 0 ? rest : rest.substring(0, colon);
      rest = colon < 0 ? "" : rest.substring(colon);
    }
    int port = port(rest);
    return port < -1 || !isHost(host) ? null : new Authority(host, port);
  }

  /** Whether a text may stand for a host in a request. */
  static boolean isHost(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean zone = c == '%' && text.indexOf(':') >= 0; // fe80::1%eth0
      if (c < ' ' || c == 0x7f || (NEVER_IN_A_HOST.indexOf(c) >= 0 && !zone)) {
        return false;
      }
    }
    return true;
  }

  /** -1 for none, -2 for what is no port. */
  private static int port(String withColon) {
    if (withColon.isEmpty() || withColon.equals(":")) {
      return -1;
    }
    if (withColon.charAt(0) != ':' || withColon.length() > 6) {
      return -2;
    }
    int port = 0;
    for (int i = 1; i < withColon.length(); i++) {
      int digit = withColon.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -2;
      }
      port = port * 10 + digit;
    }
    return port <= 65_535 ? port : -2;
  }
}
