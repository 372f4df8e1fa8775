package io.probelet.kube;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How answers are sent: at once, in pieces, or as a stream. */
final class AnswerWriter implements AutoCloseable {
  private static final int PIECES = 10;

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean brief;
  private volatile Duration listTime = Duration.ZERO;

  /** From now on ends each stream as soon as it has begun. */
  void endStreamsAtOnce() {
    brief = true;
  }

  /** From now on takes so long for what is sent in pieces. */
  void sendPiecesOver(Duration time) {
    listTime = time;
  }

  void stream(HttpExchange exchange, ObjectWatch watch) throws IOException {
    if (brief) {
      watch.end("");
    }
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.flush();
      for (String line = watch.next(); !line.equals(ObjectWatch.END); line = watch.next()) {
        out.write(line.getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  void sendInPieces(HttpExchange exchange, String body) throws IOException {
    Duration time = listTime;
    if (time.isZero()) {
      send(exchange, 200, body);
      return;
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
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

  void send(HttpExchange exchange, int code, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Gives up what is being sent in pieces. */
  @Override
  public void close() {
    closed.countDown();
  }
}
