package io.probelet.probe.h2;

/**
 * How much a peer may send before it has to wait, and how long its headers may be.
 *
 * @param streamWindow bytes of body in flight on one stream, 65,535 or more
 * @param connectionWindow bytes of bodies in flight on all streams together, 65,535 or more
 * @param maxHeaderListSize bytes of one header block, names and values and 32 for each pair
 */
public record H2Options(int streamWindow, int connectionWindow, int maxHeaderListSize) {
  /** The window every peer starts with; SETTINGS could shrink it, but nothing here needs that. */
  static final int DEFAULT_WINDOW = 65_535;

  /** For a connection that carries one small exchange. */
  public static final H2Options PROBE = new H2Options(DEFAULT_WINDOW, DEFAULT_WINDOW, 64 * 1024);

  /** Rejects windows below the protocol's default. */
  public H2Options {
    if (streamWindow < DEFAULT_WINDOW || connectionWindow < DEFAULT_WINDOW) {
      throw new IllegalArgumentException(
          "windows start at " + DEFAULT_WINDOW + ": " + streamWindow + ", " + connectionWindow);
    }
  }
}
