package io.probelet.probe.h2;

import io.probelet.probe.net.ScriptedServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;

/** A server on loopback that says the same bytes to everyone, whatever it hears. */
public record RawServer(ScriptedServer server) implements AutoCloseable {
  /** SETTINGS without entries: what every HTTP/2 server says first. */
  public static final String SETTINGS = "000000040000000000";

  /** What a server does once it has said its piece. */
  public enum Then {
    CLOSE,
    RESET,
    STAY
  }

  public RawServer(byte[] answer, Then then) {
    this(ScriptedServer.start(connection -> talk(connection, answer, then)));
  }

  /** {@return a server whose answer is given in hexadecimal digits; blanks are left out} */
  public static RawServer frames(Then then, String... hex) {
    return new RawServer(HexFormat.of().parseHex(String.join("", hex).replace(" ", "")), then);
  }

  private static void talk(ScriptedServer.Connection connection, byte[] answer, Then then)
      throws IOException {
    // Read first: closing with unread input would reset the connection.
    connection.in().read(new byte[4096]);
    connection.out().write(answer);
    switch (then) {
      case RESET -> connection.socket().setSoLinger(true, 0);
      case CLOSE -> connection.socket().shutdownOutput();
      case STAY -> {}
    }
    if (then != Then.RESET) {
      connection.in().transferTo(OutputStream.nullOutputStream());
    }
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.port());
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
