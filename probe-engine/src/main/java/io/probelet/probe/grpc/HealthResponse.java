package io.probelet.probe.grpc;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;

/**
 * Reads a {@code HealthCheckResponse} as it comes, and keeps nothing of it but its status: it may
 * have megabytes of fields that nobody knows. What Go's protobuf refuses is refused.
 */
final class HealthResponse {
  /** {@code HealthCheckResponse.status = 1}, an enum. */
  private static final long STATUS_FIELD = 1;

  private static final long MAX_FIELD = (1 << 29) - 1;

  /** Groups within groups; Go follows 10,000. */
  private static final int MAX_DEPTH = 64;

  private enum State {
    TAG,
    STATUS,
    VARINT,
    LENGTH,
    BROKEN
  }

  private final Deque<Long> groups = new ArrayDeque<>(1);
  private State state = State.TAG;
  private long varint;
  private int shift;
  private long skip;
  private long status;

  /** Takes the next bytes of the message. */
  void add(ByteBuf part) {
    while (part.isReadable() && state != State.BROKEN) {
      if (skip > 0) {
        int skipped = (int) Math.min(skip, part.readableBytes());
        part.skipBytes(skipped);
        skip -= skipped;
      } else {
        varint(part.readByte());
      }
    }
  }

  /** {@return the status of the message that has come, the last if several; empty if broken} */
  OptionalInt status() {
    boolean whole = state == State.TAG && shift == 0 && skip == 0 && groups.isEmpty();
    return whole ? OptionalInt.of((int) status) : OptionalInt.empty();
  }

  private void varint(byte next) {
    if (shift == 63 && (next & 0xff) > 1) {
      state = State.BROKEN; // more than 64 bits
      return;
    }
    varint |= (next & 0x7fL) << shift;
    if (next < 0) {
      shift += 7;
      return;
    }
    long value = varint;
    varint = 0;
    shift = 0;
    switch (state) {
      case TAG -> tag(value >>> 3, (int) value & 7);
      case STATUS -> {
        status = value;
        state = State.TAG;
      }
      case LENGTH -> {
        skip = value;
        state = value < 0 ? State.BROKEN : State.TAG;
      }
      default -> state = State.TAG;
    }
  }

  private void tag(long field, int type) {
    if (field < 1 || field > MAX_FIELD) {
      state = State.BROKEN;
      return;
    }
    switch (type) {
      case 0 -> state = field == STATUS_FIELD && groups.isEmpty() ? State.STATUS : State.VARINT;
      case 1 -> skip = 8;
      case 2 -> state = State.LENGTH;
      case 3 -> {
        groups.push(field);
        state = groups.size() > MAX_DEPTH ? State.BROKEN : state;
      }
      case 4 -> {
        Long begun = groups.poll();
        state = begun == null || begun != field ? State.BROKEN : state;
      }
      case 5 -> skip = 4;
      default -> state = State.BROKEN;
    }
  }
}
