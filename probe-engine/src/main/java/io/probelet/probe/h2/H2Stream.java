package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;

/** One request and what has become of it. */
public final class H2Stream {
  private final H2Connection connection;
  final Http2Headers headers;
  final ByteBuf body;
  final H2Listener listener;

  /** Zero until the request is sent. */
  int id;

  boolean responded;

  H2Stream(H2Connection connection, Http2Headers headers, ByteBuf body, H2Listener listener) {
    this.connection = connection;
    this.headers = headers;
    this.body = body;
    this.listener = listener;
  }

  /**
   * Cancels the request: the peer is notified, the listener is not. Does nothing once it is over.
   */
  public void cancel() {
    connection.cancel(this);
  }
}
