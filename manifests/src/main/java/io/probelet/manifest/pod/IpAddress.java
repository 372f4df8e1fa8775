package io.probelet.manifest.pod;

import io.netty.util.NetUtil;

/** The API server's syntax of addresses. */
final class IpAddress {
  private IpAddress() {}

  /** {@return whether a text is an IPv4 or IPv6 address and not a name} */
  static boolean isValid(String text) {
    return (NetUtil.isValidIpV4Address(text) || NetUtil.isValidIpV6Address(text))
        && text.indexOf('%') < 0
        && text.indexOf('[') < 0;
  }
}
