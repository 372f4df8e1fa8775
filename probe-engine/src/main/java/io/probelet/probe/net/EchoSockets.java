package io.probelet.probe.net;

/**
 * Opens the kernel's sockets for ICMP echo requests, which need no privilege (H-21). Neither Java
 * nor Netty has an API for them.
 */
@FunctionalInterface
public interface EchoSockets {
  /**
   * Opens a socket that does not block. The caller closes it.
   *
   * @param ipv4 whether it is for ICMP; otherwise for ICMPv6
   * @return its file descriptor
   * @throws UnavailableException if this process may not open one
   */
  int open(boolean ipv4);

  /** This process may not open such a socket: the probe has no result. */
  final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message the reason, without a period
     */
    public UnavailableException(String message) {
      super(message);
    }
  }
}
