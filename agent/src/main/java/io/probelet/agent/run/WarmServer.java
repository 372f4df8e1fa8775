package io.probelet.agent.run;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.probelet.kube.certificate.CertificateAuthority;
import io.probelet.kube.certificate.ServingCertificate;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server on loopback for a few probes of our own. It knows one answer of HTTP/1.1 and one of gRPC
 * health; the first bytes say which is wanted.
 */
public final class WarmServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WarmServer.class);
  private static final int PREFACE = 24;
  private static final int DATA = 0;
  private static final int END_STREAM = 1;
  private static final int MAX_FRAME = 16_384;
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"
          .getBytes(US_ASCII);

  private final ServerSocket server;

  private WarmServer(ServerSocket server) {
    this.server = server;
    Thread.ofVirtual().name("warm-up").start(this::serve);
  }

  /**
   * {@return a server without TLS, which listens already}
   *
   * @throws IOException if it cannot
   */
  public static WarmServer plain() throws IOException {
    return new WarmServer(listening(ServerSocketFactory.getDefault()));
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
    return new WarmServer(socket);
  }

  private static ServerSocket listening(ServerSocketFactory sockets) throws IOException {
    return sockets.createServerSocket(0, 8, InetAddress.getLoopbackAddress());
  }

  /** {@return where it listens} */
  public int port() {
    return server.getLocalPort();
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        client.setSoTimeout(1_000);
        answer(client);
      } catch (IOException ended) {
        // by whoever closed the server, or by a probe that needs no answer
      }
    }
  }

  private static void answer(Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    OutputStream out = client.getOutputStream();
    byte[] begin = new byte[PREFACE];
    in.readFully(begin, 0, 3);
    if (new String(begin, 0, 3, US_ASCII).equals("PRI")) {
      in.readFully(begin, 3, PREFACE - 3);
      out.write(frame(4, 0, 0)); // settings, all as they are by default
      out.flush();
      out.write(health(requested(in)));
    } else {
      for (int last = 0; last != (('\r' << 24) | ('\n' << 16) | ('\r' << 8) | '\n'); ) {
        int next = in.read();
        if (next < 0) {
          throw new EOFException();
        }
        last = (last << 8) | next;
      }
      out.write(ANSWER);
    }
    out.flush();
    in.read(); // its end, so that the client is the first to close
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
      if ((typed & 0xff) == DATA && (flags & END_STREAM) != 0) {
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
    try {
      server.close();
    } catch (IOException unable) {
      LOG.debug("warm-up server was not closed", unable);
    }
  }
}
