package io.probelet.benchmarks;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The target: haproxy that responds 200 "ok", because it is cheap and counts its connections. The
 * cost of every contender is divided by this count.
 */
final class HaproxyTarget implements Target {
  /** The column "stot" of haproxy's statistics. */
  private static final int SESSIONS = 7;

  private final Daemon haproxy;
  private final Path socket;

  private HaproxyTarget(Daemon haproxy, Path socket) {
    this.haproxy = haproxy;
    this.socket = socket;
  }

  static HaproxyTarget start(Path directory, List<Integer> ports) throws IOException {
    return start(directory, ports, "");
  }

  /** Starts a target that speaks one protocol over TLS and resumes no session. */
  static HaproxyTarget startTls(Path directory, List<Integer> ports, TlsLoad tls)
      throws IOException {
    return start(
        directory,
        ports,
        "ssl alpn %s no-tls-tickets crt %s"
            .formatted(tls.protocol().alpn(), TlsServer.pem(directory, tls.key())));
  }

  private static HaproxyTarget start(Path directory, List<Integer> ports, String tls)
      throws IOException {
    Path socket = directory.resolve("target.sock");
    Path config = directory.resolve("target.cfg");
    Files.writeString(
        config,
        """
        global
          nbthread 1
          maxconn 8000
          tune.ssl.cachesize 0
          stats socket %s level operator
        defaults
          mode http
          timeout client 5s
          timeout connect 5s
          timeout server 5s
        frontend target
          bind 127.0.0.1:%d-%d %s
          http-request return status 200 content-type text/plain string ok
        """
            .formatted(socket, ports.getFirst(), ports.getLast(), tls));
    Daemon haproxy =
        Daemon.start(directory, "target", List.of("haproxy", "-db", "-f", config.toString()));
    HaproxyTarget target = new HaproxyTarget(haproxy, socket);
    Waiting.until("the target answers", () -> Files.exists(socket) && target.connections() >= 0);
    return target;
  }

  @Override
  public long connections() throws IOException {
    return ask("show info")
        .lines()
        .filter(line -> line.startsWith("CumConns:"))
        .mapToLong(line -> Long.parseLong(line.substring("CumConns:".length()).strip()))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public long cpuMicros() {
    return haproxy.cpuMicros();
  }

  /** {@return the same without the connections of this query} */
  long sessions() throws IOException {
    return ask("show stat")
        .lines()
        .filter(line -> line.startsWith("target,FRONTEND,"))
        .mapToLong(line -> Long.parseLong(line.split(",", -1)[SESSIONS]))
        .findFirst()
        .orElseThrow();
  }

  private String ask(String question) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(ByteBuffer.wrap((question + "\n").getBytes(StandardCharsets.US_ASCII)));
      ByteBuffer answer = ByteBuffer.allocate(64 * 1024);
      while (channel.read(answer) >= 0) {
        // until the end of haproxy's response
      }
      return new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII);
    }
  }

  @Override
  public void close() {
    haproxy.close();
  }
}
