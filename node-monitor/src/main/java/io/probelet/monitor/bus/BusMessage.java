package io.probelet.monitor.bus;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Messages of D-Bus as bytes: calls with arguments of a few types, and answers to them. */
final class BusMessage {
  private static final int CALL = 1;
  private static final int ERROR = 3;
  private static final int VERSION = 1;
  private static final int ROOM = 64 * 1024;

  private static final int PATH = 1;
  private static final int INTERFACE = 2;
  private static final int MEMBER = 3;
  private static final int ERROR_NAME = 4;
  private static final int REPLY_SERIAL = 5;
  private static final int DESTINATION = 6;
  private static final int SIGNATURE = 8;

  private BusMessage() {}

  /** What is called. */
  record Call(String destination, String path, String type, String member) {}

  /**
   * What came back.
   *
   * @param to serial of the call it answers; 0 if it answers none
   * @param error name of the error; empty if it is none
   * @param body in the order of bytes it was sent in
   */
  record Answer(int to, String error, ByteBuffer body) {
    boolean isError() {
      return !error.isEmpty();
    }

    /** An error's body begins with a sentence. */
    String text() {
      return body.remaining() > 4
          ? error + ": " + string(body.duplicate().order(body.order()))
          : error;
    }
  }

  /** Arguments are String, List of String, Boolean or Long. */
  static ByteBuffer bytes(Call call, int serial, List<?> arguments) {
    ByteBuffer out = ByteBuffer.allocate(ROOM).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) 'l').put((byte) CALL).put((byte) 0).put((byte) VERSION);
    out.putInt(0).putInt(serial).putInt(0); // the lengths follow when they are known
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
    int body = out.position(); // which is a multiple of 8, so that positions may be aligned in out
    arguments.forEach(argument -> put(out, argument));
    return out.putInt(4, out.position() - body).flip();
  }

  private static String type(Object argument) {
    return switch (argument) {
      case String _ -> "s";
      case List<?> _ -> "as";
      case Boolean _ -> "b";
      case Long _ -> "t";
      default -> throw new IllegalArgumentException("no type of ours: " + argument.getClass());
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
      default -> throw new IllegalArgumentException("no type of ours: " + argument.getClass());
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
    buffer.position(Math.ceilDiv(buffer.position(), to) * to);
  }

  /** Takes a message apart; {@code header} is where its body begins. */
  static Answer answer(ByteBuffer message, int fields, int header) throws IOException {
    int to = 0;
    String error = "";
    try {
      message.position(16);
      while (message.position() < 16 + fields) {
        align(message, 8);
        int code = message.get();
        int type = signature(message).charAt(0);
        switch (type) {
          case 'u' -> {
            align(message, 4);
            int number = message.getInt();
            to = code == REPLY_SERIAL ? number : to;
          }
          case 's', 'o' -> {
            String text = string(message);
            error = code == ERROR_NAME ? text : error;
          }
          case 'g' -> signature(message);
          default -> throw new IOException("the bus sends a field of type " + (char) type);
        }
      }
      if (error.isEmpty() && message.get(1) == ERROR) {
        error = "error without a name";
      }
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException cut) {
      throw new IOException("the bus sends a message that is broken", cut);
    }
    ByteOrder order = message.order();
    return new Answer(to, error, message.position(header).slice().order(order));
  }

  private static String signature(ByteBuffer in) {
    byte[] text = new byte[in.get()];
    in.get(text).get();
    return new String(text, StandardCharsets.US_ASCII);
  }

  private static String string(ByteBuffer in) {
    align(in, 4);
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] text = new byte[length];
    in.get(text).get();
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Reads a(ssssssouso): name, description, load state, active state, and what nobody asks for. */
  static List<SystemBus.Unit> units(ByteBuffer body) throws IOException {
    List<SystemBus.Unit> units = new ArrayList<>();
    try {
      int end = body.getInt();
      align(body, 8);
      end += body.position();
      while (body.position() < end) {
        align(body, 8);
        String name = string(body);
        string(body);
        String load = string(body);
        String active = string(body);
        string(body); // sub state
        string(body); // the unit it follows
        string(body); // its path
        align(body, 4);
        int job = body.getInt();
        string(body); // the job's type
        string(body); // the job's path
        units.add(new SystemBus.Unit(name, load, active, job));
      }
    } catch (BufferUnderflowException | IllegalArgumentException cut) {
      throw new IOException("the bus sends a list of units that is broken", cut);
    }
    return units;
  }
}
