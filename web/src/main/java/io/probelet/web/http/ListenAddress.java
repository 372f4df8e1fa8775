package io.probelet.web.http;

/**
 * Where the agent's HTTP server is: {@code host:port}, an IPv6 host in brackets.
 *
 * @param host a name or address, without brackets
 * @param port 0 to 65535; 0 lets the system choose
 */
public record ListenAddress(String host, int port) {
  /** Loopback only, because there is no authentication. */
  public static final String DEFAULT = "127.0.0.1:20258";

  private static final int LAST_PORT = 65_535;
  private static final int MAX_DIGITS = 5;

  /**
   * Reads an address.
   *
   * @param text such as 127.0.0.1:20258, localhost:0 or [::1]:20258
   * @throws IllegalArgumentException if the text is none; the message says what would be right
   */
  public static ListenAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (bracketed) {
      host = host.substring(1, host.length() - 1);
    }
    if (host.isBlank() || (!bracketed && host.indexOf(':') >= 0)) {
      throw malformed(text);
    }
    String port = text.substring(colon + 1);
    if (!port.matches("[0-9]+")) {
      throw malformed(text);
    }
    if (port.length() > MAX_DIGITS || Integer.parseInt(port) > LAST_PORT) {
      throw new IllegalArgumentException(
          "\"" + text + "\": port " + port + " is out of range 0-" + LAST_PORT);
    }
    return new ListenAddress(host, Integer.parseInt(port));
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "\"" + text + "\" is not host:port; write it like " + DEFAULT + " or [::1]:20258");
  }

  /** {@return whether only processes of this machine can reach it, as far as the text tells} */
  public boolean isLoopback() {
    return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.[0-9]{1,3}){3}");
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
