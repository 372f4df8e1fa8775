package io.probelet.benchmarks;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A healthy gRPC service. Its response is always the same bytes, because only the client is
 * measured: SETTINGS at once, the response after the complete request.
 */
final class GrpcTarget implements Target {
  private static final byte[] SETTINGS = frame(4, 0, 0, new byte[0]);
  private static final byte[] ANSWER = answer();
  private static final int BACKLOG = 1024;

  /** Length of the client's preface. */
  private static final int PREFACE = 24;

  private static final int END_STREAM = 1;

  private final List<ServerSocket> listening = new ArrayList<>();
  private final AtomicLong connections = new AtomicLong();

  static GrpcTarget start(List<Integer> ports) throws IOException {
    GrpcTarget target = new GrpcTarget();
    for (int port : ports) {
      ServerSocket server = new ServerSocket(port, BACKLOG, InetAddress.ofLiteral("127.0.0.1"));
      target.listening.add(server);
      Thread.ofVirtual().start(() -> target.accept(server));
    }
    return target;
  }

  private void accept(ServerSocket server) {
    try {
      while (true) {
        Socket socket = server.accept();
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // the benchmark is over
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      OutputStream out = socket.getOutputStream();
      out.write(SETTINGS);
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      in.skipNBytes(PREFACE);
      while (true) {
        int lengthAndType = in.readInt();
        boolean ends = (in.readUnsignedByte() & END_STREAM) != 0;
        int stream = in.readInt();
        in.skipNBytes(lengthAndType >>> 8);
        if (stream == 1 && ends) { // the request is complete
          out.write(ANSWER);
        }
      }
    } catch (IOException left) {
      // a probe closes or resets the connection after the response
    }
  }

  /** Status 200, the message SERVING, and trailers with OK; no field is added to the table. */
  private static byte[] answer() {
    byte[] head = join(new byte[] {(byte) 0x88}, field("content-type", "application/grpc"));
    byte[] message = {0, 0, 0, 0, 2, 8, 1};
    return join(
        frame(4, 1, 0, new byte[0]),
        frame(1, 4, 1, head),
        frame(0, 0, 1, message),
        frame(1, 5, 1, field("grpc-status", "0")));
  }

  private static byte[] field(String name, String value) {
    return join(
        new byte[] {0, (byte) name.length()},
        name.getBytes(StandardCharsets.US_ASCII),
        new byte[] {(byte) value.length()},
        value.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    String header = "%06x%02x%02x%08x".formatted(payload.length, type, flags, stream);
    return join(HexFormat.of().parseHex(header), payload);
  }

  private static byte[] join(byte[]... parts) {
    StringBuilder all = new StringBuilder();
    for (byte[] part : parts) {
      all.append(HexFormat.of().formatHex(part));
    }
    return HexFormat.of().parseHex(all);
  }

  @Override
  public long connections() {
    return connections.get();
  }

  @Override
  public long cpuMicros() {
    return 0;
  }

  @Override
  public void close() {
    for (ServerSocket server : listening) {
      try {
        server.close();
      } catch (IOException ended) {
        // nothing is left to close
      }
    }
  }
}
