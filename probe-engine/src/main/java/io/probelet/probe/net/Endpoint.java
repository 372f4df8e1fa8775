package io.probelet.probe.net;

import io.netty.util.NetUtil;
import io.probelet.probe.net.Attempt.Phase;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A place to connect to.
 *
 * @param host IP address, without brackets, or a name; never empty
 * @param port 1 to 65535, or {@link #NO_PORT}
 * @param unixSocket path of a Unix socket that is connected to instead; null for none
 */
public record Endpoint(String host, int port, @Nullable String unixSocket) implements Destination {
  /** Of ICMP, which has no ports. */
  static final int NO_PORT = 0;

  /**
   * A place on the network.
   *
   * @param host IP address, without brackets, or a name; never empty
   * @param port 1 to 65535, or {@link #NO_PORT}
   */
  public Endpoint(String host, int port) {
    this(host, port, null);
  }

  /** Rejects what cannot be connected to. */
  public Endpoint {
    if (host.isEmpty() || port < NO_PORT || port > 65_535) {
      throw new IllegalArgumentException("no endpoint: host \"" + host + "\", port " + port);
    }
  }

  /** {@return the address if the host is one, or null if it is a name} */
  @Nullable InetAddress literal() {
    if ((NetUtil.isValidIpV4Address(host) && !hasLeadingZero())
        || (host.indexOf(':') >= 0 && NetUtil.isValidIpV6Address(host))) {
      try {
        return InetAddress.ofLiteral(host);
      } catch (IllegalArgumentException noSuchScope) {
        return null; // the lookup will say so
      }
    }
    return null;
  }

  /** 127.0.0.01 may mean one address or another. */
  private boolean hasLeadingZero() {
    for (int at = 0; at + 1 < host.length(); at++) {
      boolean begins = at == 0 || host.charAt(at - 1) == '.';
      if (begins && host.charAt(at) == '0' && host.charAt(at + 1) != '.') {
        return true;
      }
    }
    return false;
  }

  /** {@return the network as Go's messages name it} */
  String network() {
    return unixSocket != null ? "unix" : port == NO_PORT ? "icmp" : "tcp";
  }

  /**
   * {@return the message of a timeout before the connection was established}
   *
   * @param phase where it ran out
   */
  public String timedOut(Phase phase) {
    return switch (phase) {
      case RESOLVING -> "dial " + network() + ": lookup " + host + ": i/o timeout";
      case CONNECTING -> "dial " + network() + " " + this + ": i/o timeout";
      case SECURING -> "tls handshake with " + this + ": i/o timeout";
      case WAITING, READING -> "read " + network() + " " + this + ": i/o timeout";
    };
  }

  /** {@return host:port, an IPv6 address in brackets (H-1), a host without port, or a path} */
  @Override
  public String toString() {
    if (unixSocket != null) {
      return unixSocket;
    }
    if (port == NO_PORT) {
      return host;
    }
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
