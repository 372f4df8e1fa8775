package io.probelet.monitor.plugin;

import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.check.NodeCheckResult;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Pings Docker on its socket. */
final class DockerPing implements NodeCheck {
  private static final String QUESTION = "GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n";
  private static final String WELL = " 200 ";

  private final Path socket;

  DockerPing(Path socket) {
    this.socket = socket;
  }

  @Override
  public NodeCheckResult run() {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      ByteBuffer question = ByteBuffer.wrap(QUESTION.getBytes(StandardCharsets.US_ASCII));
      while (question.hasRemaining()) {
        channel.write(question);
      }
      ByteBuffer answer = ByteBuffer.allocate(64);
      while (answer.hasRemaining() && channel.read(answer) >= 0) {
        // until it is long enough, or ends
      }
      String first =
          new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII)
              .lines()
              .findFirst()
              .orElse("nothing");
      return first.contains(WELL)
          ? NodeCheckResult.OK
          : new NodeCheckResult.Problem(socket + " answered " + first);
    } catch (IOException failed) {
      return new NodeCheckResult.Problem("no answer from " + socket + ": " + failed.getMessage());
    }
  }
}
