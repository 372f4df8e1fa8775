package io.probelet.manifest.pod;

import io.netty.util.NetUtil;

/** What an API server takes for an address. */
final class IpAddress {
  private IpAddress() {}

  /** {@return whether a text is an address of IPv4 or IPv6, and no name} */
  static boolean isValid(String text) {
    return (NetUtil.isValidIpV4Address(text) || NetUtil.isValidIpV6Address(text))
        && text.indexOf('%') < 0
        && text.indexOf('[') < 0;
  }
}
