package io.probelet.kube;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/** Sends responses: at once, in chunks, or as a stream. */
final class AnswerWriter implements AutoCloseable {
  private static final int PIECES = 10;

  /** Shorter lists are sent uncompressed. */
  private static final int PACKED_FROM = 128 * 1024;

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean brief;
  private volatile Duration listTime = Duration.ZERO;

  /** From now on ends each stream as soon as it has begun. */
  void endStreamsAtOnce() {
    brief = true;
  }

  /** Sets the duration of chunked responses from now on. */
  void sendPiecesOver(Duration time) {
    listTime = time;
  }

  void stream(HttpExchange exchange, ObjectWatch watch) throws IOException {
    if (brief) {
      watch.end();
    }
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.flush();
      for (byte[] event = watch.next(); event.length > 0; event = watch.next()) {
        out.write(event);
        out.flush();
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  void sendInPieces(HttpExchange exchange, byte[] bytes) throws IOException {
    Duration time = listTime;
    if (time.isZero()) {
      send(exchange, 200, bytes.length > PACKED_FROM ? packed(exchange, bytes) : bytes);
      return;
    }
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.flush(); // the answer begins
      int sent = 0;
      for (int piece = 1; piece <= PIECES; piece++) {
        if (closed.await(time.toMillis() / PIECES, TimeUnit.MILLISECONDS)) {
          return;
        }
        int to = bytes.length * piece / PIECES;
        out.write(bytes, sent, to - sent);
        out.flush();
        sent = to;
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  void send(HttpExchange exchange, RequestFaults.Canned answer) throws IOException {
    if (!answer.retryAfter().isEmpty()) {
      exchange.getResponseHeaders().add("Retry-After", answer.retryAfter());
    }
    if (answer.open()) {
      exchange.sendResponseHeaders(answer.code(), 0);
      exchange.getResponseBody().write(answer.body().getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
    } else if (answer.code() == 0) {
      exchange.close();
    } else {
      send(exchange, answer.code(), answer.body());
    }
  }

  /** Compresses as real servers do, if accepted. */
  private static byte[] packed(HttpExchange exchange, byte[] plain) throws IOException {
    String accepted = String.valueOf(exchange.getRequestHeaders().getFirst("Accept-Encoding"));
    if (!accepted.contains("gzip")) {
      return plain;
    }
    exchange.getResponseHeaders().add("Content-Encoding", "gzip");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  void send(HttpExchange exchange, int code, String body) throws IOException {
    send(exchange, code, body.getBytes(StandardCharsets.UTF_8));
  }

  void send(HttpExchange exchange, int code, byte[] bytes) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Aborts chunked responses. */
  @Override
  public void close() {
    closed.countDown();
  }
}
