package io.probelet.monitor.check;

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

/**
 * A connection to D-Bus, as far as it takes to ask systemd for units: an anonymous greeting, two
 * calls and their answers. Saves the container's image from having to hold systemctl.
 */
final class SystemBus implements AutoCloseable {
  private static final int LARGEST = 1 << 20;
  private static final int HEADER = 16;
  private static final String ERRORS = "org.freedesktop.DBus.Error.";

  /** A bus may be set up to start systemd, which then fails. */
  private static final List<String> WITHOUT_SYSTEMD =
      List.of("ServiceUnknown", "NameHasNoOwner", "Spawn.");

  private final SocketChannel channel;
  private int serial;

  private SystemBus(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * A unit of systemd.
   *
   * @param name such as kubelet.service
   * @param load loaded, not-found, masked and so on
   * @param active active, activating, reloading, inactive, failed and so on
   */
  record Unit(String name, String load, String active) {
    boolean isNotFound() {
      return load.equals("not-found");
    }
  }

  static SystemBus connect(Path socket) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      SystemBus bus = new SystemBus(channel);
      bus.greet();
      return bus;
    } catch (IOException failed) {
      channel.close();
      String why = String.valueOf(failed.getMessage());
      if (why.equals("Permission denied")) { // which has no exception of its own for sockets
        throw new UnavailableException(
            Obstacle.NOT_PERMITTED, "may not speak to " + socket + ": permission denied", failed);
      }
      throw new IOException("cannot speak to " + socket + ": " + why, failed);
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
          Obstacle.NOT_PERMITTED, "the bus does not let us in: " + answer);
    }
    write(ByteBuffer.wrap("BEGIN\r\n".getBytes(StandardCharsets.US_ASCII)));
    call(
        new BusMessage.Call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello"),
        List.of());
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    ByteBuffer one = ByteBuffer.allocate(1);
    while (line.length() < HEADER * HEADER) {
      read(one.clear());
      char c = (char) one.get(0);
      if (c == '\n') {
        return line.toString().strip();
      }
      line.append(c);
    }
    throw new IOException("the bus greets at too great length");
  }

  /** Asks for units by their names; those that do not exist are not-found. */
  List<Unit> units(List<String> names) throws IOException {
    ByteBuffer body =
        call(
            new BusMessage.Call(
                "org.freedesktop.systemd1",
                "/org/freedesktop/systemd1",
                "org.freedesktop.systemd1.Manager",
                "ListUnitsByNames"),
            names);
    return BusMessage.units(body);
  }

  /** Calls a method that takes strings or nothing; the body of the answer comes back. */
  private ByteBuffer call(BusMessage.Call call, List<String> strings) throws IOException {
    serial++;
    write(BusMessage.bytes(call, serial, strings));
    while (true) {
      BusMessage.Answer answer = answer();
      if (answer.to() != serial) {
        continue; // a signal, such as the one with our own name
      }
      if (answer.isError()) {
        throw refused(call.member() + ": " + answer.text());
      }
      return answer.body();
    }
  }

  /** A bus without systemd, or one that does not let us ask it, is no failure of systemd. */
  private static IOException refused(String why) {
    if (WITHOUT_SYSTEMD.stream().anyMatch(error -> why.contains(ERRORS + error))) {
      return new UnavailableException(Obstacle.NOT_THERE, why);
    }
    return why.contains(ERRORS + "AccessDenied")
        ? new UnavailableException(Obstacle.NOT_PERMITTED, why)
        : new IOException(why);
  }

  private BusMessage.Answer answer() throws IOException {
    ByteBuffer fixed = read(ByteBuffer.allocate(HEADER)).flip();
    boolean little = fixed.get(0) == 'l';
    fixed.order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    int body = fixed.getInt(4);
    int fields = fixed.getInt(12);
    if (body < 0 || fields < 0 || body > LARGEST || fields > LARGEST) {
      throw new IOException("the bus sends more than it should");
    }
    int header = Math.ceilDiv(HEADER + fields, 8) * 8;
    ByteBuffer whole = ByteBuffer.allocate(header + body).order(fixed.order()).put(fixed);
    read(whole);
    return BusMessage.answer(whole.flip(), fields, header);
  }

  /** Fills the buffer. */
  private ByteBuffer read(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into) < 0) {
        throw new IOException("the bus has hung up");
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
