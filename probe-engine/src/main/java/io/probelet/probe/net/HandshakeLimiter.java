package io.probelet.probe.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.probelet.probe.Verdict.Reason;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what a server's part of TLS costs beside its data.
 *
 * <p>Handshakes of more than 32 KiB go on for a few connections at a time in the whole process, up
 * to 512 KiB and 512 records each, a quarter of them with one address. So certificates take 8 MiB
 * at most, though one server may show 256 KiB of them. The JDK copies what it has of a message with
 * each record, which would make a message in records of a byte cost gigabytes of copying.
 *
 * <p>Afterwards a server may not ask for another handshake, and sends at most 16 records in a row
 * that bring no data, as Go has it: new keys and tickets cost us more than those who send them.
 *
 * <p>Stands before the handler of TLS while the connection does, because the certificates stay as
 * long.
 */
final class HandshakeLimiter extends ChannelInboundHandlerAdapter {
  /** What every handshake has; the JDK's own bound of a message. */
  static final int FREE_BYTES = 32 * 1024;

  /** Certificates of 256 KiB and what else Go takes with them. */
  static final int MAX_BYTES = 512 * 1024;

  static final int MAX_RECORDS = 512;

  /** Connections with a long handshake at a time. */
  static final int MAX_LONG = 16;

  /** Of them with one address, which is as a rule one pod's. */
  static final int MAX_LONG_OF_ONE = 4;

  /** Records in a row without data, once the handshake is over. */
  static final int MAX_IDLE = 16;

  private static final int HANDSHAKE = 22;
  private static final LongHandshakes LONG = new LongHandshakes(MAX_LONG, MAX_LONG_OF_ONE);
  private static final int RECORD_HEADER = 5;

  private final Consumer<NetFailure> failed;
  private final LongHandshakes longOnes;
  private int bytes;
  private int records;

  /** With whom a long handshake is counted; null while it is none. */
  private @Nullable Object countedWith;

  private boolean onHandshake;
  private boolean refused;

  /** Since the last one that brought data. */
  private int idleRecords;

  /** Bytes of the present record that are still to come. */
  private int rest;

  private int headerRead;
  private int type;
  private int lengthBegun;

  HandshakeLimiter(Consumer<NetFailure> failed) {
    this(failed, LONG);
  }

  /** Counts with others than the whole process. */
  HandshakeLimiter(Consumer<NetFailure> failed, LongHandshakes longOnes) {
    this.failed = failed;
    this.longOnes = longOnes;
  }

  /** Counts as after a handshake from now on; what is held is held on. */
  void onHandshake() {
    onHandshake = true;
  }

  /** {@return what stands behind the handler of TLS and sees when a record has brought data} */
  ChannelInboundHandler data() {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext ctx, Object message) {
        idleRecords = 0;
        ctx.fireChannelRead(message);
      }
    };
  }

  /** Hands on one record after the other, so that it shows what each has brought. */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf data = (ByteBuf) message;
    try {
      while (data.isReadable() && !refused) {
        int length = toEndOfRecord(data);
        boolean whole = headerRead == 0;
        if (!onHandshake) {
          count(ctx, length, whole);
        } else if (whole) {
          countIdle(ctx);
        }
        if (!refused) {
          ctx.fireChannelRead(data.readRetainedSlice(length));
        }
      }
    } finally {
      data.release();
    }
  }

  private void countIdle(ChannelHandlerContext ctx) {
    if (type == HANDSHAKE) { // of TLS 1.2; in 1.3 they go as data
      refuse(ctx, "the server requests a second handshake");
    } else if (++idleRecords > MAX_IDLE) {
      refuse(ctx, "more than " + MAX_IDLE + " records in a row without data");
    }
  }

  private void refuse(ChannelHandlerContext ctx, String why) {
    refused = true;
    ctx.fireExceptionCaught(new SSLException(why));
  }

  private void count(ChannelHandlerContext ctx, int length, boolean whole) {
    bytes += length;
    if (whole) {
      records++;
    }
    if (bytes <= FREE_BYTES) {
      return;
    }
    if (bytes > MAX_BYTES || records > MAX_RECORDS) {
      fail(
          null,
          bytes > MAX_BYTES
              ? "tls: handshake of more than " + MAX_BYTES + " bytes"
              : "tls: handshake of more than " + MAX_RECORDS + " records");
    } else if (countedWith == null) {
      Object peer = // none once the connection has ended, which counts by itself then
          Objects.requireNonNullElse((Object) ctx.channel().remoteAddress(), ctx.channel());
      switch (longOnes.ask(peer)) {
        case GRANTED -> countedWith = peer;
        case ADDRESS_FULL -> fail(Reason.POD_BUDGET, tooMany(MAX_LONG_OF_ONE, " with one address"));
        case ALL_FULL -> fail(Reason.NODE_BUDGET, tooMany(MAX_LONG, ""));
      }
    }
  }

  private static String tooMany(int most, String where) {
    return "tls: more than %d handshakes of more than %d bytes at once%s"
        .formatted(most, FREE_BYTES, where);
  }

  private void fail(@Nullable Reason fault, String message) {
    refused = true;
    failed.accept(new NetFailure(fault, message));
  }

  /** {@return how many bytes are of the present record; it ends with them if no header is begun} */
  private int toEndOfRecord(ByteBuf data) {
    int at = data.readerIndex();
    while (headerRead < RECORD_HEADER && at < data.writerIndex()) {
      int next = data.getUnsignedByte(at++);
      switch (headerRead++) {
        case 0 -> type = next;
        case RECORD_HEADER - 2 -> lengthBegun = next << 8;
        case RECORD_HEADER - 1 -> rest = lengthBegun | next;
        default -> {} // the version
      }
    }
    if (headerRead == RECORD_HEADER) {
      int passed = Math.min(rest, data.writerIndex() - at);
      rest -= passed;
      at += passed;
      headerRead = rest == 0 ? 0 : RECORD_HEADER;
    }
    return at - data.readerIndex();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (countedWith != null) {
      longOnes.release(countedWith);
      countedWith = null;
    }
  }
}
