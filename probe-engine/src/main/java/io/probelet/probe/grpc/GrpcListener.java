package io.probelet.probe.grpc;

import io.netty.buffer.ByteBuf;

/** Takes what comes back from a call, on the channel's event loop; nothing comes after a cancel. */
public interface GrpcListener {
  /** The server began to answer. */
  default void began() {}

  /**
   * A message arrived, or a piece of one. Pieces come in order, so that a long message need never
   * be held whole.
   *
   * @param part its bytes, valid during the call only; possibly empty
   * @param last whether the message is complete with it
   */
  void part(ByteBuf part, boolean last);

  /**
   * The call is over, and the server has not processed it: it may be made again. Nothing else is
   * called afterwards.
   *
   * @param status what it would have ended with
   */
  default void unprocessed(GrpcStatus status) {
    ended(status);
  }

  /**
   * The call is over. Called once, unless it was not processed.
   *
   * @param status how it ended; OK promises no message
   */
  void ended(GrpcStatus status);
}
