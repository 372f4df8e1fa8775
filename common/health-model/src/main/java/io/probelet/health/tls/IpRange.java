package io.probelet.health.tls;

import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.util.Arrays;
import java.util.HexFormat;

/** A range of addresses with a common prefix. */
final class IpRange {
  private final byte[] address;
  private final int bits;

  private IpRange(byte[] address, int bits) {
    this.address = address;
    this.bits = bits;
  }

  /** Reads an address that is followed by its mask. */
  static IpRange of(byte[] both) throws CertificateException {
    int length = both.length / 2;
    if (both.length != 8 && both.length != 32) {
      throw new CertificateParsingException(
          "x509: IP constraint contained value of length " + both.length);
    }
    int bits = 0;
    boolean ended = false;
    for (int i = length * Byte.SIZE; i < both.length * Byte.SIZE; i++) {
      boolean set = (both[i / Byte.SIZE] & (0x80 >> (i % Byte.SIZE))) != 0;
      if (set && ended) {
        throw new CertificateParsingException(
            "x509: IP constraint contained invalid mask "
                + HexFormat.of().formatHex(both, length, both.length));
      }
      ended = !set;
      bits += set ? 1 : 0;
    }
    return new IpRange(Arrays.copyOf(both, length), bits);
  }

  boolean contains(byte[] other) {
    if (other.length != address.length) {
      return false;
    }
    for (int i = 0; i < bits; i++) {
      if (((address[i / Byte.SIZE] ^ other[i / Byte.SIZE]) & (0x80 >> (i % Byte.SIZE))) != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return IpAddresses.text(address) + "/" + bits;
  }
}
