package io.probelet.probe.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.probelet.probe.Verdict.Reason;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what handshakes cost: those of more than 32 KiB go on for a few connections at a time in
 * the whole process, up to 512 KiB and 512 records each. So certificates take 8 MiB at most, though
 * one server may show 256 KiB of them. The JDK copies what it has of a message with each record,
 * which would make a message in records of a byte cost gigabytes of copying.
 *
 * <p>Stands before the handler of TLS while the connection does, because the certificates stay as
 * long.
 */
final class HandshakeMeter extends ChannelInboundHandlerAdapter {
  /** What every handshake has; the JDK's own bound of a message. */
  static final int FREE_BYTES = 32 * 1024;

  /** Certificates of 256 KiB and what else Go takes with them. */
  static final int MAX_BYTES = 512 * 1024;

  static final int MAX_RECORDS = 512;

  /** Connections with a long handshake at a time. */
  static final int MAX_LONG = 16;

  private static final Semaphore LONG = new Semaphore(MAX_LONG);
  private static final int RECORD_HEADER = 5;

  private final Consumer<NetFailure> failed;
  private final Semaphore longOnes;
  private int bytes;
  private int records;
  private boolean isLong;
  private boolean over;
  private boolean refused;

  /** Bytes of the present record that are still to come. */
  private int rest;

  private int headerRead;
  private int lengthBegun;

  HandshakeMeter(Consumer<NetFailure> failed) {
    this(failed, LONG);
  }

  /** Counts with others than the whole process. */
  HandshakeMeter(Consumer<NetFailure> failed, Semaphore longOnes) {
    this.failed = failed;
    this.longOnes = longOnes;
  }

  /** Stops counting; what is held is held on. */
  void shaken() {
    over = true;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!over) {
      count((ByteBuf) message);
    }
    if (refused) {
      ((ByteBuf) message).release();
    } else {
      ctx.fireChannelRead(message);
    }
  }

  private void count(ByteBuf data) {
    bytes += data.readableBytes();
    countRecords(data);
    if (bytes <= FREE_BYTES) {
      return;
    }
    if (bytes > MAX_BYTES || records > MAX_RECORDS) {
      fail(
          null,
          bytes > MAX_BYTES
              ? "tls: handshake of more than " + MAX_BYTES + " bytes"
              : "tls: handshake of more than " + MAX_RECORDS + " records");
    } else if (!isLong) {
      isLong = longOnes.tryAcquire();
      if (!isLong) {
        fail(
            Reason.NODE_BUDGET,
            "tls: more than "
                + MAX_LONG
                + " handshakes of more than "
                + FREE_BYTES
                + " bytes at once");
      }
    }
  }

  private void fail(@Nullable Reason fault, String message) {
    over = true;
    refused = true;
    failed.accept(new NetFailure(fault, message));
  }

  private void countRecords(ByteBuf data) {
    for (int at = data.readerIndex(); at < data.writerIndex(); ) {
      if (rest > 0) {
        int passed = Math.min(rest, data.writerIndex() - at);
        rest -= passed;
        at += passed;
        continue;
      }
      int next = data.getUnsignedByte(at++);
      headerRead++;
      if (headerRead == RECORD_HEADER - 1) {
        lengthBegun = next << 8;
      } else if (headerRead == RECORD_HEADER) {
        rest = lengthBegun | next;
        headerRead = 0;
        records++;
      }
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (isLong) {
      isLong = false;
      longOnes.release();
    }
  }
}
