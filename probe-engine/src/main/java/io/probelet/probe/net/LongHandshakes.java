package io.probelet.probe.net;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds how many connections may have a long handshake at once, with one address and altogether:
 * one pod must not take what all share. Safe for use by several threads.
 */
final class LongHandshakes {
  private final int most;
  private final int mostOfOne;
  private final Map<Object, Integer> byAddress = new HashMap<>();
  private int all;

  /** Whether there is room for one more. */
  enum Room {
    GRANTED,
    ADDRESS_FULL,
    ALL_FULL
  }

  /** None are under way. */
  LongHandshakes(int most, int mostOfOne) {
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  /** Counts one more with an address, if there is room; it has to be released then. */
  synchronized Room ask(Object peer) {
    if (byAddress.getOrDefault(host(peer), 0) >= mostOfOne) {
      return Room.ADDRESS_FULL;
    }
    if (all >= most) {
      return Room.ALL_FULL;
    }
    all++;
    byAddress.merge(host(peer), 1, Integer::sum);
    return Room.GRANTED;
  }

  /** Counts one less. */
  synchronized void release(Object peer) {
    all--;
    byAddress.computeIfPresent(host(peer), (key, count) -> count == 1 ? null : count - 1);
  }

  /** {@return how many there are} */
  synchronized int underWay() {
    return all;
  }

  /** A pod has many ports, and one address of a family. */
  private static Object host(Object peer) {
    return peer instanceof InetSocketAddress inet ? inet.getAddress() : peer;
  }
}
