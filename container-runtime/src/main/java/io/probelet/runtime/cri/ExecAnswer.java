package io.probelet.runtime.cri;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads an ExecSyncResponse as a stream and keeps only the beginning of the output, because a
 * runtime may send 32 MB of it: {@code stdout = 1, stderr = 2, exit_code = 3}, in this order.
 */
final class ExecAnswer implements Sink<ExecAnswer> {
  private static final int STDERR = 2;
  private static final int EXIT_CODE = 3;

  /** Bits of the ten bytes that a number takes at most. */
  private static final int LONGEST_VARINT = 70;

  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED_32 = 5;

  /** Runtimes truncate each of the two outputs at 16 MiB. */
  private static final int LIMIT = 33 * 1024 * 1024;

  private final int keep;
  private byte[] output = {};
  private int exitCode;

  /** The current field, or 0 between two. */
  private int field;

  private int wireType;

  /** Remaining bytes of the field. */
  private long remaining;

  private long varint;
  private int shift;

  private boolean broken;
  private boolean complete;

  /**
   * Creates a reader.
   *
   * @param keep bytes of output to keep
   */
  ExecAnswer(int keep) {
    this.keep = keep;
  }

  @Override
  public int limit() {
    return LIMIT;
  }

  @Override
  public void part(ByteBuf part, boolean last) {
    while (part.isReadable() && !broken) {
      if (remaining > 0) {
        content(part);
      } else {
        number(part.readByte());
      }
    }
    complete = last && !broken && field == 0 && shift == 0;
  }

  private void content(ByteBuf part) {
    int length = (int) Math.min(remaining, part.readableBytes());
    if (wireType == BYTES && field <= STDERR) {
      int kept = Math.min(length, keep - output.length);
      int end = output.length;
      output = Arrays.copyOf(output, end + kept);
      part.getBytes(part.readerIndex(), output, end, kept);
    }
    part.skipBytes(length);
    remaining -= length;
    if (remaining == 0) {
      field = 0;
    }
  }

  private void number(byte next) {
    varint |= (next & 0x7fL) << shift;
    shift += 7;
    broken = shift > LONGEST_VARINT;
    if (next >= 0) {
      long value = varint;
      varint = 0;
      shift = 0;
      number(value);
    }
  }

  private void number(long value) {
    if (field == 0) {
      tag(value);
      return;
    }
    if (wireType == BYTES) {
      remaining = value;
      broken = value < 0 || value > LIMIT;
    } else if (wireType == VARINT && field == EXIT_CODE) {
      exitCode = (int) value;
    }
    if (remaining == 0) {
      field = 0;
    }
  }

  private void tag(long value) {
    field = (int) (value >>> 3);
    wireType = (int) (value & 7);
    switch (wireType) {
      case VARINT, BYTES -> remaining = 0;
      case FIXED_64 -> remaining = 8;
      case FIXED_32 -> remaining = 4;
      default -> broken = true;
    }
    broken |= field <= 0 || value >>> Integer.SIZE != 0;
  }

  @Override
  public ExecAnswer result() throws InvalidProtocolBufferException {
    if (!complete) { // exit code 0 is also the default of an incomplete response
      throw new InvalidProtocolBufferException("not an ExecSyncResponse");
    }
    return this;
  }

  int exitCode() {
    return exitCode;
  }

  String output() {
    return new String(output, StandardCharsets.UTF_8);
  }
}
