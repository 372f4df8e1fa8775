package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;

/**
 * A header block that comes in several frames. It is unpacked as it comes, field by field; a field
 * whose name or value is too long to be kept is passed over. So a block of megabytes needs no more
 * memory than two strings of {@link HeaderList#MAX_KEPT} bytes and a frame.
 */
final class LongHeaderBlock {
  private static final int MAX_STRING = HeaderList.MAX_KEPT;

  /** Where an integer ends that is still coming. */
  private static final int INCOMPLETE = -1;

  private final HeaderListDecoder decoder;
  private final int maxSize;
  private final int streamId;
  private final boolean last;
  private final HeaderList headers = new HeaderList();

  /** The beginning of a field whose end has not come yet. */
  private ByteBuf begun = Unpooled.EMPTY_BUFFER;

  /** Bytes of the present string that are passed over still. */
  private long passing;

  /** Whether the length of a value comes next that belongs to a name passed over. */
  private boolean valueFollows;

  /** What the peer has set the dynamic table to. */
  private long tableSize = Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE;

  /** The integer that was read last. */
  private long integer;

  LongHeaderBlock(HeaderListDecoder decoder, int maxSize, int streamId, boolean last) {
    this.decoder = decoder;
    this.maxSize = maxSize;
    this.streamId = streamId;
    this.last = last;
  }

  int streamId() {
    return streamId;
  }

  /** {@return whether the stream ends with it} */
  boolean last() {
    return last;
  }

  /** {@return the headers of the block, all of which has come} */
  HeaderList end() throws Http2Exception {
    if (begun.isReadable() || passing > 0 || valueFollows) {
      throw broken("an incomplete header block");
    }
    return headers;
  }

  /** Takes the next part of the block. */
  void add(ByteBuf fragment) throws Http2Exception {
    ByteBuf in = fragment;
    if (begun.isReadable()) {
      in = Unpooled.buffer(begun.readableBytes() + fragment.readableBytes());
      in.writeBytes(begun).writeBytes(fragment);
    }
    while (in.isReadable() && step(in)) {
      if (headers.listSize() > maxSize) {
        throw Http2Exception.connectionError(
            Http2Error.PROTOCOL_ERROR, "header list larger than %d bytes", maxSize);
      }
    }
    begun = Unpooled.copiedBuffer(in);
  }

  /** {@return false if the next thing has not come whole; then nothing of it was read} */
  private boolean step(ByteBuf in) throws Http2Exception {
    if (passing > 0) {
      int passed = (int) Math.min(passing, in.readableBytes());
      in.skipBytes(passed);
      passing -= passed;
      return true;
    }
    if (valueFollows) {
      int end = readInteger(in, in.readerIndex(), 7);
      if (end == INCOMPLETE) {
        return false;
      }
      in.readerIndex(end);
      valueFollows = false;
      pass(integer);
      return true;
    }
    int first = in.getUnsignedByte(in.readerIndex());
    if (first >= 0x80) {
      return whole(in, readInteger(in, in.readerIndex(), 7));
    }
    if (first >= 0x20 && first < 0x40) {
      int end = readInteger(in, in.readerIndex(), 5);
      if (end != INCOMPLETE) {
        tableSize = integer;
      }
      return whole(in, end);
    }
    return literal(in, first >= 0x40);
  }

  private boolean literal(ByteBuf in, boolean indexed) throws Http2Exception {
    int start = in.readerIndex();
    int at = readInteger(in, start, indexed ? 6 : 4);
    if (at == INCOMPLETE) {
      return false;
    }
    if (integer == 0) {
      at = readInteger(in, at, 7);
      if (at == INCOMPLETE) {
        return false;
      }
      if (integer > MAX_STRING) {
        in.readerIndex(at);
        valueFollows = true;
        headers.count(HeaderList.OVERHEAD);
        forget(indexed);
        pass(integer);
        return true;
      }
      at += (int) integer;
      if (at > in.writerIndex()) {
        return false;
      }
    }
    int value = readInteger(in, at, 7);
    if (value == INCOMPLETE) {
      return false;
    }
    if (integer > MAX_STRING) {
      passValue(in, at, value, indexed);
      return true;
    }
    return value + integer <= in.writerIndex() && whole(in, value + (int) integer);
  }

  /** Unpacks a field up to its value, which is left out. */
  private void passValue(ByteBuf in, int nameEnd, int value, boolean indexed)
      throws Http2Exception {
    ByteBuf name = Unpooled.buffer(nameEnd - in.readerIndex() + 1);
    name.writeBytes(in, in.readerIndex(), nameEnd - in.readerIndex()).writeByte(0);
    headers.leaveOutValue();
    decoder.decode(streamId, name, headers);
    forget(indexed);
    in.readerIndex(value);
    pass(integer);
  }

  /**
   * What is longer than the whole dynamic table empties it. (An empty value may have been put there
   * just before.)
   */
  private void forget(boolean indexed) throws Http2Exception {
    if (indexed) {
      long size = tableSize;
      ByteBuf twice = Unpooled.buffer(8).writeByte(0x20);
      if (size < 31) {
        twice.writeByte(0x20 | (int) size);
      } else {
        twice.writeByte(0x3f);
        for (size -= 31; size >= 0x80; size >>>= 7) {
          twice.writeByte((int) ((size & 0x7f) | 0x80));
        }
        twice.writeByte((int) size);
      }
      long length = integer;
      decoder.decode(streamId, twice, headers);
      integer = length;
    }
  }

  private void pass(long bytes) {
    headers.count(bytes);
    passing = bytes;
  }

  private boolean whole(ByteBuf in, int end) throws Http2Exception {
    if (end == INCOMPLETE) {
      return false;
    }
    decoder.decode(streamId, in.readSlice(end - in.readerIndex()), headers);
    return true;
  }

  /** Reads an integer that begins in the lowest bits of a byte; {@return where it ends} */
  private int readInteger(ByteBuf in, int from, int bits) throws Http2Exception {
    if (from >= in.writerIndex()) {
      return INCOMPLETE;
    }
    int mask = (1 << bits) - 1;
    integer = in.getUnsignedByte(from) & mask;
    if (integer < mask) {
      return from + 1;
    }
    int at = from + 1;
    for (int shift = 0; at < in.writerIndex(); shift += 7, at++) {
      if (shift > 28) {
        throw broken("an integer that is too long");
      }
      int next = in.getUnsignedByte(at);
      integer += (next & 0x7fL) << shift;
      if (next < 0x80) {
        return at + 1;
      }
    }
    return INCOMPLETE;
  }

  private static Http2Exception broken(String what) {
    return Http2Exception.connectionError(Http2Error.COMPRESSION_ERROR, what);
  }
}
