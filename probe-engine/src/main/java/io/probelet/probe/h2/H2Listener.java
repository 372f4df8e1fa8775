package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Takes the answer to one request, on the channel's event loop:
 *
 * <pre>
 *   headers ── data* ──┬── (end)
 *                      └── trailers
 * </pre>
 *
 * <p>Exactly one call is the last: one with {@code end}, {@link #trailers}, or {@link #failed}.
 * None comes after {@link H2Stream#cancel()} or {@link H2Connection#close()}.
 */
public interface H2Listener {
  /**
   * The response began. Interim (1xx) responses are left out.
   *
   * @param headers with one {@code :status} at most, which may be anything; of many headers only
   *     those that matter
   * @param end whether the response has neither body nor trailers
   */
  void headers(Http2Headers headers, boolean end);

  /**
   * A piece of the body.
   *
   * @param data valid during the call only; possibly empty
   * @param end whether the response is complete
   */
  void data(ByteBuf data, boolean end);

  /**
   * The response is complete and ends with these.
   *
   * @param trailers with pseudo headers, if the peer sent any
   */
  void trailers(Http2Headers trailers);

  /**
   * There will be no answer, or no more of it.
   *
   * @param failure why
   */
  void failed(H2Failure failure);
}
