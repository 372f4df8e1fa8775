package io.probelet.health.dns;

import java.util.Optional;

/** The types of records that can be asked for. */
public enum DnsType {
  /** An IPv4 address. */
  A(1),
  /** The name of a server of a zone. */
  NS(2),
  /** Another name. */
  CNAME(5),
  /** The beginning of a zone. */
  SOA(6),
  /** A name of an address. */
  PTR(12),
  /** A mail server. */
  MX(15),
  /** A text. */
  TXT(16),
  /** An IPv6 address. */
  AAAA(28),
  /** Where a service is. */
  SRV(33);

  private final int code;

  DnsType(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /**
   * {@return the type of a name, if there is one}
   *
   * @param name in upper case
   */
  public static Optional<DnsType> of(String name) {
    for (DnsType each : values()) {
      if (each.name().equals(name)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
