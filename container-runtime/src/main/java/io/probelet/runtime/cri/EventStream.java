package io.probelet.runtime.cri;

import io.netty.buffer.ByteBuf;
import io.probelet.runtime.cri.v1.GetEventsRequest;
import java.util.concurrent.CompletableFuture;

/**
 * The runtime's container events, for as long as one connection lasts. Runtimes without them refuse
 * the call, and some accept it and say nothing, so a stream counts only once an event has come.
 */
final class EventStream {
  private final CompletableFuture<Boolean> stream;
  private volatile boolean heard;

  /**
   * Asks for events.
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

  /** Hears that there are events; what has changed is read by a request. */
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

  /** {@return whether any event has come} */
  boolean heard() {
    return heard;
  }

  /** {@return whether none will come any more} */
  boolean ended() {
    return stream.isDone();
  }
}
