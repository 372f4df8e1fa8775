package io.probelet.probe.grpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** Words of {@code grpc.health.v1}: the request, which has a name, and the names of statuses. */
final class HealthMessages {
  static final int SERVING = 1;

  private static final String[] NAMES = {"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"};

  /** {@code HealthCheckRequest.service = 1}, a string. */
  private static final int SERVICE_TAG = 1 << 3 | 2;

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

  static String name(int status) {
    return status >= 0 && status < NAMES.length ? NAMES[status] : Integer.toString(status);
  }
}
