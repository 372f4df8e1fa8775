package io.probelet.runtime.cri;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Takes the answer to a call as it comes in, on the event loop. */
interface Sink<T> {
  /** Longest answer that is taken. */
  int limit();

  /** Takes a message, or a piece of one. */
  void part(ByteBuf part, boolean last);

  /**
   * What has been received, asked for once the call ended with OK.
   *
   * @throws InvalidProtocolBufferException if that is no answer
   */
  T result() throws InvalidProtocolBufferException;

  /** Keeps the last whole message, to be parsed elsewhere: the loop has probes to run. */
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

    /** {@return a sink that refuses messages of more bytes than this} */
    static Whole upTo(int limit) {
      return new Whole(0, limit);
    }

    /** Expects so many bytes, which saves copies if they come. */
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
      if (!whole) { // read as a message, nothing would mean: no pods
        throw new InvalidProtocolBufferException("OK without a message");
      }
      return length == message.length ? message : Arrays.copyOf(message, length);
    }
  }
}
