package io.probelet.probe.net;

import org.jspecify.annotations.Nullable;

/**
 * Connects attempts on one loop: looks up the name unless the host is an address, tries its
 * addresses, shakes hands for TLS.
 */
public final class Dialer {
  private final NetLoop loop;
  private final NameResolver names;
  private final TlsContexts contexts;

  /**
   * Creates a dialer for a loop.
   *
   * @param loop where its attempts live
   * @param names may be shared between loops
   * @param contexts may be shared between loops
   */
  public Dialer(NetLoop loop, NameResolver names, TlsContexts contexts) {
    this.loop = loop;
    this.names = names;
    this.contexts = contexts;
  }

  /** {@return the loop this dialer works on} */
  public NetLoop loop() {
    return loop;
  }

  /**
   * Connects. The attempt's timeout ends a dial that takes too long; a connection the attempt held
   * before is closed.
   *
   * @param attempt under way, on this dialer's loop
   * @param endpoint where to
   * @param tls null for a plain connection
   * @param listener told once, possibly before this method returns
   */
  public void dial(Attempt attempt, Endpoint endpoint, @Nullable Tls tls, DialListener listener) {
    new Dial(loop, names, attempt, endpoint, tls, listener).start(contexts);
  }
}
