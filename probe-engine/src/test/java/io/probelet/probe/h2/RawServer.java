package io.probelet.probe.h2;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on loopback that says the same bytes to everyone, whatever it hears. */
public final class RawServer implements AutoCloseable {
  /** SETTINGS without entries: what every HTTP/2 server says first. */
  public static final String SETTINGS = "000000040000000000";

  /** What a server does once it has said its piece. */
  public enum Then {
    CLOSE,
    RESET,
    STAY
  }

  private final ServerSocket listening;
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  public RawServer(byte[] answer, Then then) {
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    Thread.ofVirtual().start(() -> serve(answer, then));
  }

  /** {@return a server whose answer is given in hexadecimal digits; blanks are left out} */
  public static RawServer frames(Then then, String... hex) {
    return new RawServer(HexFormat.of().parseHex(String.join("", hex).replace(" ", "")), then);
  }

  private void serve(byte[] answer, Then then) {
    while (!listening.isClosed()) {
      try {
        Socket peer = listening.accept();
        open.add(peer);
        Thread.ofVirtual().start(() -> talk(peer, answer, then));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static void talk(Socket peer, byte[] answer, Then then) {
    try {
      // Read first: closing with unread input would reset the connection.
      peer.getInputStream().read(new byte[4096]);
      OutputStream out = peer.getOutputStream();
      out.write(answer);
      out.flush();
      switch (then) {
        case STAY -> peer.getInputStream().transferTo(OutputStream.nullOutputStream());
        case RESET -> {
          peer.setSoLinger(true, 0);
          peer.close();
        }
        case CLOSE -> {
          peer.shutdownOutput();
          peer.getInputStream().transferTo(OutputStream.nullOutputStream());
          peer.close();
        }
      }
    } catch (IOException gone) {
      // the client had enough
    }
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket peer : open) {
        peer.close();
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
