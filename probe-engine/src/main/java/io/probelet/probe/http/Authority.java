package io.probelet.probe.http;

import io.netty.util.NetUtil;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Where a URL points to.
 *
 * @param user user and password as written, null if there is none
 * @param host name or IP address without brackets, possibly empty
 * @param port 0 to 65535, or -1 if none is given
 */
record Authority(@Nullable String user, String host, int port) {
  private static final String NEVER_IN_A_HOST = " #%/?@[\\]^`{|}"; // but <, > and ", as in Go

  /** What may stand before a host, beside letters and digits. */
  private static final String IN_A_USER = "-._:~!$&'()*+,;=%@";

  /** Parses host and port behind an optional user; null if they are malformed. */
  static @Nullable Authority parse(String text) {
    int at = text.lastIndexOf('@');
    String user = at < 0 ? null : text.substring(0, at);
    if (user != null && !isUser(user)) {
      return null;
    }
    String rest = text.substring(at + 1);
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
    return port < -1 || !isHost(host) ? null : new Authority(user, host, port);
  }

  private static boolean isUser(String text) {
    return UrlText.onlyOf(text, IN_A_USER) && UrlText.validEscapes(text);
  }

  /** {@return what an Authorization header says of user and password, null if there is none} */
  @Nullable String basic() {
    if (user == null) {
      return null;
    }
    int colon = user.indexOf(':');
    ByteArrayOutputStream plain = new ByteArrayOutputStream(user.length() + 1);
    plain.writeBytes(UrlText.unescape(colon < 0 ? user : user.substring(0, colon)));
    plain.write(':');
    plain.writeBytes(UrlText.unescape(colon < 0 ? "" : user.substring(colon + 1)));
    return "Basic " + Base64.getEncoder().encodeToString(plain.toByteArray());
  }

  /** {@return whether a text may be sent as the host of a request} */
  static boolean isHost(String text) {
    if (text.indexOf(':') >= 0 && (!NetUtil.isValidIpV6Address(text) || text.endsWith("%"))) {
      return false; // only IPv6 addresses have colons
    }
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
