package io.probelet.probe.grpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.OptionalInt;

/** The two messages of {@code grpc.health.v1}: a request with a name, a response with a number. */
final class HealthMessages {
  static final int SERVING = 1;

  private static final String[] NAMES = {"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"};

  /** {@code HealthCheckRequest.service = 1}, a string. */
  private static final int SERVICE_TAG = 1 << 3 | 2;

  /** {@code HealthCheckResponse.status = 1}, an enum. */
  private static final int STATUS_TAG = 1 << 3;

  private HealthMessages() {}

  static ByteBuf request(String service) {
    if (service.isEmpty()) {
      return Unpooled.EMPTY_BUFFER;
    }
    int length = ByteBufUtil.utf8Bytes(service);
    ByteBuf message = Unpooled.buffer(length + 6);
    message.writeByte(SERVICE_TAG);
    for (int rest = length; ; rest >>>= 7) {
      if (rest < 0x80) {
        message.writeByte(rest);
        break;
      }
      message.writeByte(rest | 0x80);
    }
    ByteBufUtil.writeUtf8(message, service);
    return message;
  }

  /** {@return the status a response has, the last one if it has several; empty if it is broken} */
  static OptionalInt status(ByteBuf response) {
    long status = 0;
    try {
      while (response.isReadable()) {
        long tag = varint(response);
        if (tag == STATUS_TAG) {
          status = varint(response);
        } else {
          skip(response, tag);
        }
      }
    } catch (IndexOutOfBoundsException broken) {
      return OptionalInt.empty();
    }
    return OptionalInt.of((int) status);
  }

  static String name(int status) {
    return status >= 0 && status < NAMES.length ? NAMES[status] : Integer.toString(status);
  }

  private static long varint(ByteBuf in) {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = in.readByte();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IndexOutOfBoundsException("a varint of more than ten bytes");
  }

  private static void skip(ByteBuf in, long tag) {
    long length =
        switch ((int) (tag & 7)) {
          case 0 -> {
            varint(in);
            yield 0;
          }
          case 1 -> 8;
          case 2 -> varint(in);
          case 5 -> 4;
          default -> Long.MAX_VALUE; // groups are long gone, the rest never was
        };
    if (length < 0 || length > in.readableBytes()) {
      throw new IndexOutOfBoundsException("a field longer than its message");
    }
    in.skipBytes((int) length);
  }
}
