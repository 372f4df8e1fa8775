package io.probelet.probe.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.nio.ByteBuffer;

/**
 * Buffers lent to all connections of a loop: a loop serves them one after the other, and a probe
 * keeps nothing of what it read.
 *
 * <p>As an allocator it lends one buffer to channels, too. A handler that does keep it (TLS with
 * half a record, say) is left in peace: the next read then gets a buffer of its own.
 */
final class LoopBuffers extends DefaultMaxMessagesRecvByteBufAllocator {
  /** One body at the output limit with its headers mostly fits. */
  private static final int SIZE = 16 * 1024;

  private final ByteBuf shared = Unpooled.directBuffer(SIZE, SIZE);
  private final ByteBuffer direct = ByteBuffer.allocateDirect(SIZE);
  private final byte[] scratch = new byte[SIZE];

  /** {@return memory for one system call} */
  ByteBuffer direct() {
    return direct;
  }

  /** {@return space to read bytes into, as large as {@link #direct}} */
  byte[] scratch() {
    return scratch;
  }

  /** Gives the memory back; the loop must have ended. */
  void free() {
    shared.release();
  }

  @Override
  @SuppressWarnings("deprecation") // the interface still asks for it
  public Handle newHandle() {
    return new Lender();
  }

  private final class Lender extends MaxMessageHandle {
    @Override
    public ByteBuf allocate(ByteBufAllocator alloc) {
      return shared.refCnt() == 1 ? shared.clear().retain() : alloc.ioBuffer(SIZE);
    }

    @Override
    public int guess() {
      return SIZE;
    }
  }
}
