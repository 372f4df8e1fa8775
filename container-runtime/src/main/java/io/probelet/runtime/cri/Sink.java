package io.probelet.runtime.cri;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Receives the response to a call, on the event loop. */
interface Sink<T> {
  /** Maximum length of a response. */
  int limit();

  /** Receives a message, or a part of one. */
  void part(ByteBuf part, boolean last);

  /**
   * Returns the result after the call ended with OK.
   *
   * @throws InvalidProtocolBufferException if the response is invalid
   */
  T result() throws InvalidProtocolBufferException;

  /** Keeps the last whole message, to be parsed on another thread: the loop runs probes. */
  final class Whole implements Sink<byte[]> {
    /** The kubelet's own limit. */
    private static final int LIMIT = 16 * 1024 * 1024;

    private final int expected;
    private final int limit;
    private byte[] message = {};
    private int length;
    private boolean whole;

    Whole() {
      this(0);
    }

    /** {@return a sink that rejects messages of more bytes} */
    static Whole upTo(int limit) {
      return new Whole(0, limit);
    }

    /** Reserves space for the expected number of bytes, which saves copies. */
    Whole(int expected) {
      this(expected, LIMIT);
    }

    private Whole(int expected, int limit) {
      this.expected = expected;
      this.limit = limit;
    }

    @Override
    public int limit() {
      return limit;
    }

    @Override
    public void part(ByteBuf part, boolean last) {
      int before = whole ? 0 : length;
      int more = part.readableBytes();
      length = before + more;
      whole = last;
      if (length > message.length) {
        message = Arrays.copyOf(message, Math.max(expected, last ? length : 2 * length));
      }
      part.readBytes(message, before, more);
    }

    @Override
    public byte[] result() throws InvalidProtocolBufferException {
      if (!whole) { // an empty message would mean that there are no pods
        throw new InvalidProtocolBufferException("OK without a message");
      }
      return length == message.length ? message : Arrays.copyOf(message, length);
    }
  }
}
