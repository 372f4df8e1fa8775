package io.probelet.probe.h2;

/**
 * How much a peer may send before it has to wait, and how long its headers may be.
 *
 * @param streamWindow bytes of body in flight on one stream, 65,535 or more
 * @param connectionWindow bytes of bodies in flight on all streams together, 65,535 or more
 * @param maxHeaderListSize bytes of one header block, names and values and 32 for each pair
 * @param afterSettings whether requests wait until the peer has shown that it speaks HTTP/2
 */
public record H2Options(
    int streamWindow, int connectionWindow, int maxHeaderListSize, boolean afterSettings) {
  /** The window every peer starts with; SETTINGS could shrink it, but nothing here needs that. */
  static final int DEFAULT_WINDOW = 65_535;

  /** For a connection that carries one small exchange; headers are bounded as in Go's net/http. */
  public static final H2Options PROBE =
      new H2Options(DEFAULT_WINDOW, DEFAULT_WINDOW, 10 * 1024 * 1024);

  /** For a gRPC probe, with the patience and the bound that grpc-go has. */
  public static final H2Options GRPC_PROBE =
      new H2Options(DEFAULT_WINDOW, DEFAULT_WINDOW, 16 * 1024 * 1024, true);

  /**
   * Requests do not wait for the peer.
   *
   * @param streamWindow bytes of body in flight on one stream, 65,535 or more
   * @param connectionWindow bytes of bodies in flight on all streams together, 65,535 or more
   * @param maxHeaderListSize bytes of one header block, names and values and 32 for each pair
   */
  public H2Options(int streamWindow, int connectionWindow, int maxHeaderListSize) {
    this(streamWindow, connectionWindow, maxHeaderListSize, false);
  }

  /** Rejects windows below the protocol's default. */
  public H2Options {
    if (streamWindow < DEFAULT_WINDOW || connectionWindow < DEFAULT_WINDOW) {
      throw new IllegalArgumentException(
          "windows start at " + DEFAULT_WINDOW + ": " + streamWindow + ", " + connectionWindow);
    }
  }
}
