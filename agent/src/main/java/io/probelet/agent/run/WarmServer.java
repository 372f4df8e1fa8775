package io.probelet.agent.run;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.probelet.kube.certificate.CertificateAuthority;
import io.probelet.kube.certificate.ServingCertificate;
import io.probelet.probe.Port;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server on loopback for a few probes of our own. By TCP it knows one answer of HTTP/1.1, one to
 * a WebSocket and one of gRPC health; the first bytes say which is wanted. It returns datagrams.
 */
public final class WarmServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WarmServer.class);
  private static final int PREFACE = 24;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int END_STREAM = 1;
  private static final int MAX_FRAME = 16_384;
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"
          .getBytes(US_ASCII);

  private static final byte[] SWITCHED = // accepts the key that our probes send
      String.join(
              "\r\n",
              "HTTP/1.1 101 Switching Protocols",
              "Connection: Upgrade",
              "Upgrade: websocket",
              "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
              "",
              "")
          .getBytes(US_ASCII);

  private static final int MAX_HEAD = 16_384;
  private static final int MAX_DATAGRAM = 2_048;
  private static final int TIMEOUT_MILLIS = 1_000;

  /** A record for the name in the question: type A, class IN, no TTL, four bytes. */
  private static final byte[] RECORD = {
    (byte) 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1
  };

  private final Port address;
  private final Turn turn;
  private final Closeable listening;
  private volatile boolean closed;

  /** What a probe needs. */
  enum Sort {
    /** TCP without TLS. */
    PLAIN,
    /** TLS that agrees on HTTP/1.1. */
    TLS_HTTP1,
    /** TLS that agrees on HTTP/2. */
    TLS_HTTP2,
    /** A Unix socket. */
    UNIX,
    /** Datagrams, which come back as they are. */
    UDP,
    /** Datagrams with a question to a DNS server. */
    DNS,
    /** Nothing: the kernel answers. */
    NONE
  }

  /** Waits for one client and answers it. */
  @FunctionalInterface
  private interface Turn {
    void take() throws IOException;
  }

  /** Listens nowhere. */
  private WarmServer() {
    address = new Port.Numeric(0);
    listening = () -> {};
    turn = () -> {};
  }

  private WarmServer(Port address, Closeable listening, Turn turn) {
    this.address = address;
    this.listening = listening;
    this.turn = turn;
    Thread.ofVirtual().name("warm-up").start(this::serve);
  }

  /**
   * {@return a server that listens already}
   *
   * @param now from when a certificate is valid, for a day
   * @throws IOException if it cannot listen
   * @throws GeneralSecurityException if no certificate can be made
   */
  static WarmServer open(Sort sort, Instant now) throws IOException, GeneralSecurityException {
    return switch (sort) {
      case PLAIN -> plain();
      case TLS_HTTP1 -> secure("http/1.1", now);
      case TLS_HTTP2 -> secure("h2", now);
      case UNIX -> unix();
      case UDP -> datagrams(false);
      case DNS -> datagrams(true);
      case NONE -> new WarmServer();
    };
  }

  /**
   * {@return a server without TLS, which listens already}
   *
   * @throws IOException if it cannot
   */
  public static WarmServer plain() throws IOException {
    return tcp(listening(ServerSocketFactory.getDefault()));
  }

  /**
   * {@return a server with TLS and a certificate of its own, which listens already}
   *
   * @param now from when the certificate is valid, for a day
   * @throws IOException if it cannot listen
   * @throws GeneralSecurityException if no certificate can be made
   */
  public static WarmServer secure(String protocol, Instant now)
      throws IOException, GeneralSecurityException {
    Duration day = Duration.ofDays(1);
    ServingCertificate certificate =
        CertificateAuthority.make("localhost", now, day).issue(List.of("localhost"), now, day);
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    char[] none = {};
    store.setKeyEntry(
        "warm-up", certificate.key(), none, certificate.chain().toArray(X509Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, none);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    SSLServerSocket socket = (SSLServerSocket) listening(context.getServerSocketFactory());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    return tcp(socket);
  }

  private static WarmServer tcp(ServerSocket socket) {
    return new WarmServer(
        new Port.Numeric(socket.getLocalPort()),
        socket,
        () -> {
          try (Socket client = socket.accept()) {
            client.setSoTimeout(TIMEOUT_MILLIS);
            answer(client.getInputStream(), client.getOutputStream());
          }
        });
  }

  private static ServerSocket listening(ServerSocketFactory sockets) throws IOException {
    return sockets.createServerSocket(0, 8, InetAddress.getLoopbackAddress());
  }

  private static WarmServer unix() throws IOException {
    Path folder = Files.createTempDirectory("probelet-warm-up");
    Path path = folder.resolve("s");
    ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    Closeable all =
        () -> {
          socket.close();
          Files.deleteIfExists(path);
          Files.deleteIfExists(folder);
        };
    try {
      socket.bind(UnixDomainSocketAddress.of(path));
    } catch (IOException | RuntimeException unable) {
      all.close();
      throw unable;
    }
    return new WarmServer(
        new Port.UnixSocket(path.toString()),
        all,
        () -> {
          try (SocketChannel client = socket.accept()) {
            answer(Channels.newInputStream(client), Channels.newOutputStream(client));
          }
        });
  }

  private static WarmServer datagrams(boolean dns) throws IOException {
    DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    return new WarmServer(
        new Port.Numeric(socket.getLocalPort()),
        socket,
        () -> {
          byte[] room = new byte[MAX_DATAGRAM];
          DatagramPacket packet = new DatagramPacket(room, room.length);
          socket.receive(packet);
          byte[] answer = Arrays.copyOf(packet.getData(), packet.getLength());
          if (dns) {
            answer = answered(answer);
          }
          socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
        });
  }

  /** The question with the bit of an answer, and one record. */
  private static byte[] answered(byte[] question) throws IOException {
    if (question.length < 12) {
      throw new EOFException();
    }
    byte[] answer = Arrays.copyOf(question, question.length + RECORD.length);
    answer[2] = (byte) (answer[2] | 0x80);
    answer[7] = 1;
    System.arraycopy(RECORD, 0, answer, question.length, RECORD.length);
    return answer;
  }

  /** {@return where it listens} */
  public int port() {
    return address instanceof Port.Numeric(int value) ? value : 0;
  }

  /** {@return where it listens: a number, or a Unix socket} */
  Port address() {
    return address;
  }

  private void serve() {
    while (!closed) {
      try {
        turn.take();
      } catch (IOException ended) {
        // by whoever closed the server, or by a probe that needs no answer
      }
    }
  }

  private static void answer(InputStream from, OutputStream out) throws IOException {
    DataInputStream in = new DataInputStream(from);
    byte[] begin = new byte[PREFACE];
    in.readFully(begin, 0, 3);
    if (new String(begin, 0, 3, US_ASCII).equals("PRI")) {
      in.readFully(begin, 3, PREFACE - 3);
      out.write(frame(4, 0, 0)); // settings, all as they are by default
      out.flush();
      out.write(health(requested(in)));
    } else {
      out.write(head(in).contains("Upgrade: websocket") ? SWITCHED : ANSWER);
    }
    out.flush();
    in.read(); // its end, so that the client is the first to close
  }

  /** {@return the head of a request but for its first bytes} */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
      int next = in.read();
      if (next < 0 || head.length() > MAX_HEAD) {
        throw new EOFException();
      }
      head.append((char) next);
    }
    return head.toString();
  }

  /** {@return the stream of the first request that has been read to its end} */
  private static int requested(DataInputStream in) throws IOException {
    while (true) {
      int typed = in.readInt();
      int length = typed >>> 8;
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      if (length > MAX_FRAME) {
        throw new IOException("a frame of " + length + " bytes");
      }
      in.skipNBytes(length);
      boolean ofRequest = (typed & 0xff) == DATA || (typed & 0xff) == HEADERS;
      if (ofRequest && (flags & END_STREAM) != 0) {
        return stream;
      }
    }
  }

  private static byte[] health(int stream) {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    byte[] type = field("content-type", "application/grpc");
    byte[] head = new byte[1 + type.length];
    head[0] = (byte) 0x88; // :status 200 of the static table
    System.arraycopy(type, 0, head, 1, type.length);
    answer.writeBytes(frame(1, 4, stream, head));
    answer.writeBytes(frame(DATA, 0, stream, 0, 0, 0, 0, 2, 8, 1)); // SERVING
    answer.writeBytes(frame(1, 4 | END_STREAM, stream, field("grpc-status", "0")));
    return answer.toByteArray();
  }

  /** A field of a new name that is not kept in a table. */
  private static byte[] field(String name, String value) {
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    field.write(0);
    field.write(name.length());
    field.writeBytes(name.getBytes(US_ASCII));
    field.write(value.length());
    field.writeBytes(value.getBytes(US_ASCII));
    return field.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, int... payload) {
    byte[] bytes = new byte[payload.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) payload[i];
    }
    return frame(type, flags, stream, bytes);
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(new byte[] {0, (byte) (payload.length >> 8), (byte) payload.length});
    frame.write(type);
    frame.write(flags);
    frame.writeBytes(
        new byte[] {
          (byte) (stream >> 24), (byte) (stream >> 16), (byte) (stream >> 8), (byte) stream
        });
    frame.writeBytes(payload);
    return frame.toByteArray();
  }

  @Override
  public void close() {
    closed = true;
    try {
      listening.close();
    } catch (IOException unable) {
      LOG.debug("warm-up server was not closed", unable);
    }
  }
}
