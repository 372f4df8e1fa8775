package io.probelet.runtime.cri;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.probelet.probe.grpc.MessageAssembly;
import org.jspecify.annotations.Nullable;

/**
 * Takes the answer to a call as it comes in, on the event loop.
 *
 * @param <T> what it makes of it
 */
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

    private final MessageAssembly assembly = new MessageAssembly();
    private byte @Nullable [] message;

    @Override
    public int limit() {
      return LIMIT;
    }

    @Override
    public void part(ByteBuf part, boolean last) {
      ByteBuf whole = assembly.add(part, last);
      if (whole != null) {
        message = ByteBufUtil.getBytes(whole);
      }
    }

    @Override
    public byte[] result() throws InvalidProtocolBufferException {
      if (message == null) { // read as a message, nothing would mean: no pods
        throw new InvalidProtocolBufferException("OK without a message");
      }
      return message;
    }
  }
}
