package io.probelet.agent.order;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Is systemd and logind to whoever asks on a bus, and keeps what it was asked to do. */
public final class BusStandIn implements AutoCloseable {
  /** How often a unit is still busy when it is asked for after a restart. */
  private static final int BUSY = 2;

  private final SocketChannel channel;
  private final Thread thread;
  private int serial;

  /** What was asked, such as {@code RestartUnit kubelet.service replace}. */
  public final List<String> calls = new CopyOnWriteArrayList<>();

  /** What units are after a restart. */
  public final Map<String, String> units = new ConcurrentHashMap<>();

  private final Map<String, Integer> busy = new ConcurrentHashMap<>();

  /** The name of the error that every request but questions gets; empty for none. */
  volatile String error = "";

  /** What rebooting does. */
  volatile Runnable onReboot = () -> {};

  private BusStandIn(SocketChannel channel) {
    this.channel = channel;
    this.thread = Thread.ofPlatform().daemon().name("systemd").unstarted(this::serve);
  }

  public static BusStandIn start(Path socket) throws IOException {
    // The socket is there before anybody listens.
    SocketChannel channel =
        await()
            .ignoreExceptions()
            .until(
                () -> SocketChannel.open(UnixDomainSocketAddress.of(socket)),
                SocketChannel::isConnected);
    BusStandIn it = new BusStandIn(channel);
    it.write(ascii("\0AUTH EXTERNAL\r\nDATA\r\n"));
    String answer = it.line();
    if (answer.startsWith("DATA")) {
      answer = it.line();
    }
    if (!answer.startsWith("OK")) {
      throw new IOException(answer);
    }
    it.write(ascii("BEGIN\r\n"));
    it.ask("Hello", ByteBuffer.allocate(0), "");
    for (String name : List.of("org.freedesktop.systemd1", "org.freedesktop.login1")) {
      ByteBuffer body = buffer();
      text(body, name);
      align(body, 4);
      body.putInt(0);
      it.ask("RequestName", body.flip(), "su");
    }
    it.thread.start();
    return it;
  }

  private void serve() {
    try {
      while (true) {
        Message message = message();
        if (message.type == 1) {
          answer(message);
        }
      }
    } catch (IOException closed) {
      return; // by the end of the test
    }
  }

  private void answer(Message call) throws IOException {
    ByteBuffer body = buffer();
    switch (call.member) {
      case "ListUnitsByNames" -> {
        unitsOf(call.texts(), body);
        reply(call, body.flip(), "a(ssssssouso)", "");
      }
      case "RestartUnit", "Reboot", "RebootWithFlags" -> {
        calls.add(call.member + " " + call.arguments());
        if (!error.isEmpty()) {
          text(body, "Interactive authentication required.");
          reply(call, body.flip(), "s", error);
        } else if (call.member.equals("RestartUnit")) {
          busy.put(call.texts().getFirst(), BUSY);
          text(body, "/org/freedesktop/systemd1/job/1");
          reply(call, body.flip(), "o", "");
        } else {
          reply(call, body.flip(), "", "");
          onReboot.run();
        }
      }
      default -> {
        text(body, "unknown");
        reply(call, body.flip(), "s", "org.freedesktop.DBus.Error.UnknownMethod");
      }
    }
  }

  private void unitsOf(List<String> names, ByteBuffer body) {
    body.putInt(0);
    align(body, 8);
    int start = body.position();
    for (String name : names) {
      boolean known = units.containsKey(name);
      int left = busy.getOrDefault(name, 0);
      busy.computeIfPresent(name, (_, before) -> Math.max(0, before - 1));
      String active = !known ? "inactive" : left > 0 ? "activating" : units.get(name);
      align(body, 8);
      for (String each :
          List.of(name, "A unit", known ? "loaded" : "not-found", active, "sub", "", "/u")) {
        text(body, each);
      }
      align(body, 4);
      body.putInt(left > 0 ? 7 : 0);
      text(body, left > 0 ? "restart" : "");
      text(body, "/");
    }
    body.putInt(0, body.position() - start);
  }

  /** A message as far as it matters here. */
  private static final class Message {
    private int type;
    private int serial;
    private String member = "";
    private String sender = "";
    private String signature = "";
    private ByteBuffer body = ByteBuffer.allocate(0);

    List<String> texts() {
      ByteBuffer in = body.duplicate().order(body.order());
      List<String> texts = new ArrayList<>();
      if (signature.equals("as")) {
        int end = in.getInt() + 4;
        while (in.position() < end) {
          texts.add(string(in));
        }
      } else {
        for (int i = 0; i < signature.length(); i++) {
          texts.add(signature.charAt(i) == 's' ? string(in) : "");
        }
      }
      return texts;
    }

    String arguments() {
      return switch (signature) {
        case "b" -> Boolean.toString(body.getInt(0) != 0);
        case "t" -> Long.toString(body.getLong(0));
        default -> String.join(" ", texts());
      };
    }
  }

  private void ask(String member, ByteBuffer body, String signature) throws IOException {
    ByteBuffer out = begin(1, body.remaining());
    field(out, 1, 'o', "/org/freedesktop/DBus");
    field(out, 2, 's', "org.freedesktop.DBus");
    field(out, 3, 's', member);
    field(out, 6, 's', "org.freedesktop.DBus");
    send(out, body, signature);
    Message answer = message();
    while (answer.type != 2) {
      if (answer.type == 3) {
        throw new IOException(member + " is refused");
      }
      answer = message();
    }
  }

  private void reply(Message call, ByteBuffer body, String signature, String failure)
      throws IOException {
    ByteBuffer out = begin(failure.isEmpty() ? 2 : 3, body.remaining());
    align(out, 8);
    out.put((byte) 5).put((byte) 1).put((byte) 'u').put((byte) 0).putInt(call.serial);
    if (!failure.isEmpty()) {
      field(out, 4, 's', failure);
    }
    field(out, 6, 's', call.sender);
    send(out, body, signature);
  }

  private ByteBuffer begin(int type, int length) {
    return buffer()
        .put((byte) 'l')
        .put((byte) type)
        .put((byte) 0)
        .put((byte) 1)
        .putInt(length)
        .putInt(++serial)
        .putInt(0);
  }

  private void send(ByteBuffer out, ByteBuffer body, String signature) throws IOException {
    if (!signature.isEmpty()) {
      field(out, 8, 'g', signature);
    }
    out.putInt(12, out.position() - 16);
    align(out, 8);
    write(out.put(body).flip());
  }

  private Message message() throws IOException {
    ByteBuffer fixed = read(16).order(ByteOrder.LITTLE_ENDIAN);
    Message message = new Message();
    message.type = fixed.get(1);
    int length = fixed.getInt(4);
    message.serial = fixed.getInt(8);
    int fields = fixed.getInt(12);
    ByteBuffer in = read(Math.ceilDiv(fields, 8) * 8).order(ByteOrder.LITTLE_ENDIAN);
    while (in.position() < fields) {
      align(in, 8);
      int code = in.get();
      in.get();
      char type = (char) in.get();
      in.get();
      String text = "";
      switch (type) {
        case 'u' -> in.getInt();
        case 'g' -> {
          byte[] bytes = new byte[in.get()];
          in.get(bytes).get();
          text = new String(bytes, StandardCharsets.US_ASCII);
        }
        default -> text = string(in);
      }
      switch (code) {
        case 3 -> message.member = text;
        case 7 -> message.sender = text;
        case 8 -> message.signature = text;
        default -> {}
      }
    }
    message.body = read(length).order(ByteOrder.LITTLE_ENDIAN);
    return message;
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(16_384).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void field(ByteBuffer out, int code, char type, String value) {
    align(out, 8);
    out.put((byte) code).put((byte) 1).put((byte) type).put((byte) 0);
    if (type == 'g') {
      out.put((byte) value.length()).put(value.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
    } else {
      text(out, value);
    }
  }

  private static void text(ByteBuffer out, String text) {
    align(out, 4);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putInt(bytes.length).put(bytes).put((byte) 0);
  }

  private static String string(ByteBuffer in) {
    align(in, 4);
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes).get();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void align(ByteBuffer buffer, int to) {
    buffer.position(Math.ceilDiv(buffer.position(), to) * to);
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    while (line.indexOf("\n") < 0) {
      line.append((char) read(1).get());
    }
    return line.toString();
  }

  private ByteBuffer read(int length) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(length);
    while (into.hasRemaining()) {
      if (channel.read(into) < 0) {
        throw new IOException("closed");
      }
    }
    return into.flip();
  }

  private void write(ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      channel.write(from);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException stays) {
      throw new UncheckedIOException(stays);
    }
  }
}
