package io.probelet.probe.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * Lends one receive buffer to all connections of a loop, since a loop reads them one after the
 * other and a probe keeps nothing of what it read. A reader that does keep the buffer (TLS with
 * half a record, say) is left in peace: the next read then gets a buffer of its own.
 */
final class SharedReceiveBuffer extends DefaultMaxMessagesRecvByteBufAllocator {
  /** One body at the output limit with its headers mostly fits. */
  private static final int SIZE = 16 * 1024;

  private final ByteBuf shared = Unpooled.directBuffer(SIZE, SIZE);

  @Override
  @SuppressWarnings("deprecation") // the interface still asks for it
  public Handle newHandle() {
    return new Lender();
  }

  /** Gives the memory back; the loop must have ended. */
  void free() {
    shared.release();
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
