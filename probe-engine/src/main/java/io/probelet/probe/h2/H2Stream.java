package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/** One request and what has become of it. */
public final class H2Stream {
  private final H2Connection connection;
  final Http2Headers headers;
  final H2Listener listener;

  /** Zero until the request is sent. */
  int id;

  /** What is left of the request's body. */
  @Nullable ByteBuf unsent;

  /** Bytes of body the peer is ready to take; below zero after it shrank the window. */
  long sendWindow;

  /** Bytes received and not yet given back to the peer's window. */
  int received;

  boolean responded;

  H2Stream(H2Connection connection, Http2Headers headers, @Nullable ByteBuf body, H2Listener to) {
    this.connection = connection;
    this.headers = headers;
    this.unsent = body;
    this.listener = to;
  }

  /** Gives the request up: the peer is told, the listener is not. Does nothing once it is over. */
  public void cancel() {
    connection.cancel(this);
  }

  void releaseBody() {
    if (unsent != null) {
      unsent.release();
      unsent = null;
    }
  }
}
