package io.probelet.probe.http;

import java.net.IDN;

/** The Host header as Go sends it. */
final class HostHeader {
  /** Beside letters and digits. */
  private static final String ALLOWED = "!$%&'()*+,-.:;=[]_~";

  /** A host name has no more; converting takes the square of the length. */
  private static final int MAX_CONVERTED = 255;

  private HostHeader() {}

  /**
   * {@return what is sent: other alphabets in Punycode; empty if that can be no host}
   *
   * @param given by the probe
   */
  static String of(String given) {
    String host = given.chars().allMatch(c -> c < 0x80) ? given : punycode(given);
    return UrlText.onlyOf(host, ALLOWED) ? host : "";
  }

  private static String punycode(String given) {
    if (given.length() > MAX_CONVERTED) {
      return "";
    }
    int colon = given.lastIndexOf(':');
    String name = colon < 0 ? given : given.substring(0, colon);
    try {
      return IDN.toASCII(name) + given.substring(name.length());
    } catch (IllegalArgumentException noName) {
      return "";
    }
  }
}
