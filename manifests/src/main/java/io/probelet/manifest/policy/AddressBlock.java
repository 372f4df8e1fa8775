package io.probelet.manifest.policy;

import io.probelet.manifest.policy.HostRule.HostName;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * A block of addresses. Addresses of loopback, link-local (cloud metadata) and multicast, and the
 * unspecified address, are covered only by a block that contains nothing else, so that a wide block
 * never includes them by accident.
 *
 * @param first its first address; an IPv4 address mapped into IPv6 counts as IPv4
 * @param prefix length of the prefix in bits
 */
public record AddressBlock(InetAddress first, int prefix) {
  /**
   * Rejects a prefix longer than the address, and an address that is not the first of its block.
   */
  public AddressBlock {
    int bits = first.getAddress().length * Byte.SIZE;
    if (prefix < 0 || prefix > bits) {
      throw new IllegalArgumentException("the prefix must be from 0 to " + bits);
    }
    if (!first.equals(edge(first, prefix, false))) {
      throw new IllegalArgumentException(
          "the block begins at " + edge(first, prefix, false).getHostAddress());
    }
  }

  /** The scope of an address. */
  private enum Reach {
    ORDINARY,
    UNSPECIFIED,
    LOOPBACK,
    LINK_LOCAL,
    MULTICAST;

    static Reach of(InetAddress address) {
      return address.isAnyLocalAddress()
          ? UNSPECIFIED
          : address.isLoopbackAddress()
              ? LOOPBACK
              : address.isLinkLocalAddress()
                  ? LINK_LOCAL
                  : address.isMulticastAddress() ? MULTICAST : ORDINARY;
    }
  }

  /** {@return the block for a text such as 10.1.0.0/16, or for one address} */
  static Optional<AddressBlock> parse(String text) {
    int slash = text.indexOf('/');
    Optional<InetAddress> address = HostName.literal(slash < 0 ? text : text.substring(0, slash));
    if (address.isEmpty()) {
      return Optional.empty();
    }
    int bits = address.get().getAddress().length * Byte.SIZE;
    try {
      int prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
      return Optional.of(new AddressBlock(address.get(), prefix));
    } catch (NumberFormatException noNumber) {
      return Optional.empty();
    }
  }

  /**
   * {@return whether an address lies in it}
   *
   * @param address any address
   */
  boolean covers(InetAddress address) {
    boolean sameVersion = address.getAddress().length == first.getAddress().length;
    return sameVersion
        && edge(address, prefix, false).equals(first)
        && Reach.of(address) == reach();
  }

  private Reach reach() {
    Reach begin = Reach.of(first);
    return begin == Reach.of(edge(first, prefix, true)) ? begin : Reach.ORDINARY;
  }

  /** The first or last address with the same prefix. */
  private static InetAddress edge(InetAddress address, int prefix, boolean last) {
    byte[] bytes = address.getAddress();
    for (int bit = prefix; bit < bytes.length * Byte.SIZE; bit++) {
      int mask = 0x80 >> bit % Byte.SIZE;
      int index = bit / Byte.SIZE;
      bytes[index] = (byte) (last ? bytes[index] | mask : bytes[index] & ~mask);
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException neverForFourOrSixteenBytes) {
      throw new IllegalStateException(neverForFourOrSixteenBytes);
    }
  }

  @Override
  public String toString() {
    return first.getHostAddress() + "/" + prefix;
  }
}
