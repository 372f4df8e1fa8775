package io.probelet.runtime.cri;

import io.netty.buffer.ByteBuf;
import io.probelet.runtime.cri.v1.GetEventsRequest;
import java.util.concurrent.CompletableFuture;

/**
 * The runtime's container events, over one connection. Some runtimes reject the call, and some
 * accept it and send nothing, so a stream counts only after its first event.
 */
final class EventStream {
  private final CompletableFuture<Boolean> stream;
  private volatile boolean heard;

  /**
   * Requests events.
   *
   * @param event run for each event, and when the stream ends
   */
  EventStream(CriConnection connection, Runnable event) {
    stream =
        connection
            .call(
                "GetContainerEvents",
                GetEventsRequest.getDefaultInstance(),
                null,
                new EventSink(event))
            .whenComplete((_, _) -> event.run());
  }

  /** Notices that events arrive; a poll reads the changes. */
  private final class EventSink implements Sink<Boolean> {
    private static final int LIMIT = 1 << 20;

    private final Runnable event;

    EventSink(Runnable event) {
      this.event = event;
    }

    @Override
    public int limit() {
      return LIMIT;
    }

    @Override
    public void part(ByteBuf part, boolean last) {
      if (last) {
        heard = true;
        event.run();
      }
    }

    @Override
    public Boolean result() {
      return heard;
    }
  }

  /** {@return whether any event has arrived} */
  boolean heard() {
    return heard;
  }

  /** {@return whether the stream has ended} */
  boolean ended() {
    return stream.isDone();
  }
}
