package io.probelet.monitor.bus;

import io.probelet.health.OneLine;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A minimal D-Bus connection over a socket. With it the container image needs no systemctl. */
final class SocketBus implements SystemBus {
  /** D-Bus allows 128 MiB; the state of a hundred units takes 50 KiB. */
  static final int MAX_BODY = 1 << 20;

  static final int MAX_FIELDS = 1 << 16;

  /** Signals accepted before a reply. */
  static final int MAX_OTHERS = 1000;

  private static final int MAX_GREETING = 256;
  private static final int HEADER = 16;
  private static final String ERRORS = "org.freedesktop.DBus.Error.";
  private static final String SYSTEMD = "org.freedesktop.systemd1";
  private static final String LOGIND = "org.freedesktop.login1";

  /** For logind: boot the kernel that kexec has loaded, if any. */
  private static final long KEXEC = 1 << 1;

  /** A bus may be set up to start systemd, which then fails. */
  private static final List<String> WITHOUT_SYSTEMD =
      List.of("ServiceUnknown", "NameHasNoOwner", "Spawn.");

  private final SocketChannel channel;
  private int serial;

  private SocketBus(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Connects and greets.
   *
   * @throws UnavailableException if the bus denies access
   * @throws IOException if it cannot be reached; the message is for the user
   */
  static SystemBus connect(Path socket) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      SocketBus bus = new SocketBus(channel);
      bus.greet();
      return bus;
    } catch (IOException failed) {
      channel.close();
      String why = String.valueOf(failed.getMessage());
      if (why.equals("Permission denied")) { // sockets have no specific exception for this
        throw new UnavailableException(
            Obstacle.NOT_PERMITTED, "cannot connect to " + socket + ": permission denied", failed);
      }
      throw new IOException("cannot connect to " + socket + ": " + why, failed);
    }
  }

  /** The bus knows from the socket who we are; EXTERNAL without a name refers to that. */
  private void greet() throws IOException {
    write(ByteBuffer.wrap("\0AUTH EXTERNAL\r\nDATA\r\n".getBytes(StandardCharsets.US_ASCII)));
    String answer = line();
    if (answer.startsWith("DATA")) {
      answer = line();
    }
    if (!answer.startsWith("OK")) {
      throw new UnavailableException(
          Obstacle.NOT_PERMITTED, "D-Bus refused authentication: " + answer);
    }
    write(ByteBuffer.wrap("BEGIN\r\n".getBytes(StandardCharsets.US_ASCII)));
    call(
        new BusMessage.Call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello"));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    ByteBuffer one = ByteBuffer.allocate(1);
    while (line.length() < MAX_GREETING) {
      read(one.clear());
      char c = (char) one.get(0);
      if (c == '\n') {
        return OneLine.of(line.toString(), MAX_GREETING);
      }
      line.append(c);
    }
    throw new IOException("D-Bus greeting exceeds " + MAX_GREETING + " bytes");
  }

  @Override
  public List<Unit> units(List<String> names) throws IOException {
    return BusMessage.units(call(systemd("ListUnitsByNames"), names), names.size());
  }

  @Override
  public void restart(String unit) throws IOException {
    var _ = call(systemd("RestartUnit"), unit, "replace");
  }

  @Override
  public void reboot(boolean kexec) throws IOException {
    var _ = kexec ? call(logind("RebootWithFlags"), KEXEC) : call(logind("Reboot"), false);
  }

  private static BusMessage.Call systemd(String method) {
    return new BusMessage.Call(SYSTEMD, "/org/freedesktop/systemd1", SYSTEMD + ".Manager", method);
  }

  private static BusMessage.Call logind(String method) {
    return new BusMessage.Call(LOGIND, "/org/freedesktop/login1", LOGIND + ".Manager", method);
  }

  /** Calls a method and waits for its answer. */
  private BusMessage.Reply call(BusMessage.Call call, Object... arguments) throws IOException {
    serial++;
    write(BusMessage.bytes(call, serial, List.of(arguments)));
    for (int others = 0; others <= MAX_OTHERS; others++) {
      BusMessage.Reply answer = answer();
      if (answer.to() != serial) {
        continue; // a signal, such as the one with our own name
      }
      if (answer.isError()) {
        throw refused(answer.error(), call.member() + ": " + answer.text());
      }
      return answer;
    }
    throw new IOException(
        call.member()
            + ": more than "
            + MAX_OTHERS
            + " other D-Bus messages arrived before the reply");
  }

  /** A bus without systemd, or one that denies access, is not a systemd failure. */
  private static IOException refused(String error, String why) {
    if (WITHOUT_SYSTEMD.stream().anyMatch(each -> error.startsWith(ERRORS + each))) {
      return new UnavailableException(Obstacle.NOT_THERE, why);
    }
    return error.equals(ERRORS + "AccessDenied")
            || error.equals(ERRORS + "InteractiveAuthorizationRequired")
        ? new UnavailableException(Obstacle.NOT_PERMITTED, why)
        : new IOException(why);
  }

  private BusMessage.Reply answer() throws IOException {
    ByteBuffer fixed = read(ByteBuffer.allocate(HEADER)).flip();
    switch (fixed.get(0)) {
      case 'l' -> fixed.order(ByteOrder.LITTLE_ENDIAN);
      case 'B' -> fixed.order(ByteOrder.BIG_ENDIAN);
      default -> throw BusReader.malformed("unknown byte order");
    }
    int body = within(fixed.getInt(4), MAX_BODY, "body");
    int fields = within(fixed.getInt(12), MAX_FIELDS, "header");
    int header = Math.ceilDiv(HEADER + fields, 8) * 8;
    ByteBuffer whole = ByteBuffer.allocate(header + body).order(fixed.order()).put(fixed);
    read(whole);
    return BusMessage.answer(whole.flip(), fields, header);
  }

  private static int within(int length, int most, String part) throws IOException {
    if (length < 0 || length > most) {
      throw new IOException(
          "%s of a D-Bus message has %s bytes, limit %d"
              .formatted(part, Integer.toUnsignedString(length), most));
    }
    return length;
  }

  /** Fills the buffer. */
  private ByteBuffer read(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into) < 0) {
        throw new IOException("D-Bus closed the connection");
      }
    }
    return into;
  }

  private void write(ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      channel.write(from);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
