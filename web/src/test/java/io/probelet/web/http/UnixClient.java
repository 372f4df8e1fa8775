package io.probelet.web.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Asks an HTTP server on a Unix socket, one connection for each request. */
public record UnixClient(Path socket) {
  /** What it answers. */
  public record Answer(int status, String body) {}

  public Answer get(String target) throws IOException {
    return send("GET", target, "");
  }

  /** Sends a request; HTTP/1.0, in which the end of the connection is the end of the answer. */
  public Answer send(String method, String target, String body) throws IOException {
    byte[] content = body.getBytes(UTF_8);
    String head =
        "%s %s HTTP/1.0\r\nHost: any.example\r\nContent-Length: %d\r\n\r\n"
            .formatted(method, target, content.length);
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      write(channel, head.getBytes(UTF_8));
      write(channel, content);
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      ByteBuffer buffer = ByteBuffer.allocate(16 * 1024);
      while (channel.read(buffer) >= 0) {
        answer.write(buffer.array(), 0, buffer.position());
        buffer.clear();
      }
      String text = answer.toString(UTF_8);
      int end = text.indexOf("\r\n\r\n");
      return new Answer(Integer.parseInt(text.split(" ", 3)[1]), text.substring(end + 4));
    }
  }

  /** Asks and hangs up. */
  public void abandon(String target) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      write(channel, "GET %s HTTP/1.0\r\n\r\n".formatted(target).getBytes(UTF_8));
    }
  }

  private static void write(SocketChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException refused) {
      // the server has answered already, and reads no further
    }
  }
}
