package io.probelet.probe.grpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.probelet.probe.h2.H2Connection;
import io.probelet.probe.h2.H2Failure;
import io.probelet.probe.h2.H2Listener;
import io.probelet.probe.h2.H2Stream;
import org.jspecify.annotations.Nullable;

/**
 * One call, unary or with a stream of answers: cuts the response's body into messages and finds its
 * status, wherever the server put it.
 *
 * <p>Lives on the connection's event loop.
 */
public final class GrpcCall {
  /** The bytes before each message: whether it is compressed, and its length. */
  private static final int PREFIX = 5;

  private static final long BETWEEN = -1;

  private final GrpcListener listener;
  private final int maxMessage;
  private @Nullable H2Stream stream;

  /** Bytes of a prefix read so far, and what they say. */
  private int prefixRead;

  private long prefix;

  /** Bytes of the present message still to come, or {@link #BETWEEN} messages. */
  private long remaining = BETWEEN;

  private boolean over;

  private GrpcCall(GrpcListener listener, int maxMessage) {
    this.listener = listener;
    this.maxMessage = maxMessage;
  }

  /**
   * Makes a call.
   *
   * @param connection where to
   * @param request what to call
   * @param message the request's message; this method takes ownership
   * @param maxMessage bytes of the longest message that is taken; a longer one ends the call
   * @param listener takes the answer, possibly before this method returns
   * @return a handle to give the call up
   */
  public static GrpcCall start(
      H2Connection connection,
      GrpcRequest request,
      ByteBuf message,
      int maxMessage,
      GrpcListener listener) {
    GrpcCall call = new GrpcCall(listener, maxMessage);
    ByteBuf prefix = Unpooled.buffer(PREFIX).writeByte(0).writeInt(message.readableBytes());
    call.stream =
        connection.request(
            request.headers(), Unpooled.wrappedBuffer(prefix, message), call.new Response());
    if (call.over) { // refused before there was a stream to give up
      call.cancel();
    }
    return call;
  }

  /**
   * Cancels the call: the server is notified, the listener is not. Does nothing once it is over.
   */
  public void cancel() {
    over = true;
    if (stream != null) {
      stream.cancel();
    }
  }

  private void end(GrpcStatus status) {
    if (!over) {
      cancel();
      listener.ended(status);
    }
  }

  private void endUnprocessed(GrpcStatus status) {
    if (!over) {
      over = true;
      listener.unprocessed(status);
    }
  }

  private void take(ByteBuf data) {
    while (!over) {
      if (remaining == BETWEEN && !startsMessage(data)) {
        return;
      }
      int length = (int) Math.min(remaining, data.readableBytes());
      if (length == 0 && remaining > 0) {
        return;
      }
      remaining -= length;
      boolean last = remaining == 0;
      if (last) {
        remaining = BETWEEN;
      }
      listener.part(data.readSlice(length), last);
    }
  }

  /** Reads on in the prefix; false when it is not complete yet or promises nothing good. */
  private boolean startsMessage(ByteBuf data) {
    while (prefixRead < PREFIX) {
      if (!data.isReadable()) {
        return false;
      }
      prefix = prefix << Byte.SIZE | data.readUnsignedByte();
      prefixRead++;
    }
    boolean compressed = prefix >> Integer.SIZE != 0;
    remaining = prefix & 0xffff_ffffL;
    prefix = 0;
    prefixRead = 0;
    if (compressed) {
      end(new GrpcStatus(GrpcCode.INTERNAL, "unexpected compressed message"));
    } else if (remaining > maxMessage) {
      end(
          new GrpcStatus(
              GrpcCode.RESOURCE_EXHAUSTED,
              "received message larger than max (" + remaining + " vs. " + maxMessage + ")"));
    }
    return !over;
  }

  /** The response as HTTP/2 has it. */
  private final class Response implements H2Listener {
    @Override
    public void headers(Http2Headers headers, boolean end) {
      listener.began();
      GrpcStatus fault = GrpcStatus.ofHead(headers);
      if (fault != null) {
        end(fault);
      } else if (end) {
        end(GrpcStatus.ofTrailers(headers));
      }
    }

    @Override
    public void data(ByteBuf data, boolean end) {
      take(data);
      if (end) {
        end(new GrpcStatus(GrpcCode.INTERNAL, "server ended the call without trailers"));
      }
    }

    @Override
    public void trailers(Http2Headers trailers) {
      // A prefix that is cut off is none to grpc-go, and a message that is, worse than any status.
      end(
          remaining == BETWEEN
              ? GrpcStatus.ofTrailers(trailers)
              : new GrpcStatus(GrpcCode.INTERNAL, "server ended the call within a message"));
    }

    @Override
    public void failed(H2Failure failure) {
      GrpcStatus status = GrpcStatus.of(failure);
      switch (failure) {
        case H2Failure.GoneAway ignored -> endUnprocessed(status);
        case H2Failure.Reset(long code) when code == Http2Error.REFUSED_STREAM.code() ->
            endUnprocessed(status);
        default -> end(status);
      }
    }
  }
}
