package io.probelet.monitor.bus;

import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Encodes D-Bus calls with arguments of a few types, and decodes replies. */
final class BusMessage {
  private static final int CALL = 1;
  private static final int ERROR = 3;
  private static final int VERSION = 1;
  private static final int FIXED = 16;
  private static final int ROOM = 64 * 1024;

  /** Name, description, load state, active state, and unused fields. */
  private static final String UNITS = "a(ssssssouso)";

  private static final int PATH = 1;
  private static final int INTERFACE = 2;
  private static final int MEMBER = 3;
  private static final int ERROR_NAME = 4;
  private static final int REPLY_SERIAL = 5;
  private static final int DESTINATION = 6;
  private static final int SIGNATURE = 8;

  private BusMessage() {}

  /** A method call. */
  record Call(String destination, String path, String type, String member) {}

  /**
   * A reply.
   *
   * @param to serial of the call it replies to; 0 if none
   * @param error name of the error; empty if it is not an error
   * @param body in the sender's byte order
   */
  record Reply(int to, String error, String signature, ByteBuffer body) {
    boolean isError() {
      return !error.isEmpty();
    }

    /** An error's body usually begins with a sentence. */
    String text() throws IOException {
      return signature.startsWith("s")
          ? error + ": " + new BusReader(body.duplicate().order(body.order())).string()
          : error;
    }
  }

  /**
   * Writes a call. Arguments are String, List of String, Boolean or Long.
   *
   * @throws IOException if the arguments are too long
   */
  static ByteBuffer bytes(Call call, int serial, List<?> arguments) throws IOException {
    try {
      return written(call, serial, arguments);
    } catch (BufferOverflowException tooLong) {
      throw new IOException(call.member() + ": arguments exceed " + (ROOM >> 10) + " KiB", tooLong);
    }
  }

  private static ByteBuffer written(Call call, int serial, List<?> arguments) {
    ByteBuffer out = ByteBuffer.allocate(ROOM).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) 'l').put((byte) CALL).put((byte) 0).put((byte) VERSION);
    out.putInt(0).putInt(serial).putInt(0); // the lengths are filled in below
    field(out, PATH, 'o', call.path());
    field(out, INTERFACE, 's', call.type());
    field(out, MEMBER, 's', call.member());
    field(out, DESTINATION, 's', call.destination());
    if (!arguments.isEmpty()) {
      StringBuilder signature = new StringBuilder();
      arguments.forEach(argument -> signature.append(type(argument)));
      field(out, SIGNATURE, 'g', signature.toString());
    }
    out.putInt(12, out.position() - 16);
    align(out, 8);
    int body = out.position(); // a multiple of 8, so aligning positions in out is correct
    arguments.forEach(argument -> put(out, argument));
    return out.putInt(4, out.position() - body).flip();
  }

  private static String type(Object argument) {
    return switch (argument) {
      case String _ -> "s";
      case List<?> _ -> "as";
      case Boolean _ -> "b";
      case Long _ -> "t";
      default ->
          throw new IllegalArgumentException("unsupported argument type: " + argument.getClass());
    };
  }

  private static void put(ByteBuffer out, Object argument) {
    switch (argument) {
      case String text -> put(out, text);
      case List<?> texts -> {
        align(out, 4);
        int length = out.position();
        out.putInt(0);
        texts.forEach(each -> put(out, String.valueOf(each)));
        out.putInt(length, out.position() - length - 4);
      }
      case Boolean truth -> {
        align(out, 4);
        out.putInt(truth ? 1 : 0);
      }
      case Long number -> {
        align(out, 8);
        out.putLong(number);
      }
      default ->
          throw new IllegalArgumentException("unsupported argument type: " + argument.getClass());
    }
  }

  private static void field(ByteBuffer out, int code, char type, String value) {
    align(out, 8);
    out.put((byte) code).put((byte) 1).put((byte) type).put((byte) 0);
    if (type == 'g') {
      out.put((byte) value.length()).put(value.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
    } else {
      put(out, value);
    }
  }

  private static void put(ByteBuffer out, String text) {
    align(out, 4);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putInt(bytes.length).put(bytes).put((byte) 0);
  }

  private static void align(ByteBuffer buffer, int to) {
    int next = Math.ceilDiv(buffer.position(), to) * to;
    if (next > buffer.limit()) {
      throw new BufferOverflowException();
    }
    buffer.position(next);
  }

  /** Reads a message; {@code header} is where its body begins. */
  static Reply answer(ByteBuffer message, int fields, int header) throws IOException {
    int to = 0;
    String error = "";
    String signature = "";
    BusReader in = new BusReader(message.position(FIXED));
    while (in.position() < FIXED + fields) {
      in.align(8);
      int code = in.octet();
      String type = in.signature();
      switch (type) { // containers, which may be nested, are not read
        case "u" -> {
          int number = in.uint32();
          to = code == REPLY_SERIAL ? number : to;
        }
        case "s", "o" -> {
          String text = in.string();
          error = code == ERROR_NAME ? text : error;
        }
        case "g" -> {
          String value = in.signature();
          signature = code == SIGNATURE ? value : signature;
        }
        default -> throw BusReader.malformed("unexpected header field type '" + type + "'");
      }
    }
    if (in.position() > header) {
      throw BusReader.malformed("a header field exceeds the header");
    }
    if (error.isEmpty() && message.get(1) == ERROR) {
      error = "unnamed error";
    }
    ByteOrder order = message.order();
    return new Reply(to, error, signature, message.position(header).slice().order(order));
  }

  /** Reads name, load state, active state and job of units. */
  static List<SystemBus.Unit> units(Reply answer, int most) throws IOException {
    if (!answer.signature().equals(UNITS)) {
      throw BusReader.malformed(
          "reply of type '" + answer.signature() + "', expected a list of units");
    }
    List<SystemBus.Unit> units = new ArrayList<>();
    BusReader in = new BusReader(answer.body());
    int end = in.arrayEnd(8);
    while (in.position() < end) {
      if (units.size() == most) {
        throw BusReader.malformed("more units than the " + most + " requested");
      }
      in.align(8);
      String name = in.string();
      var _ = in.string(); // description
      String load = in.string();
      String active = in.string();
      var _ = in.string(); // sub state
      var _ = in.string(); // the unit it follows
      var _ = in.string(); // its path
      int job = in.uint32();
      var _ = in.string(); // the job's type
      var _ = in.string(); // the job's path
      units.add(new SystemBus.Unit(name, load, active, job));
    }
    return units;
  }
}
