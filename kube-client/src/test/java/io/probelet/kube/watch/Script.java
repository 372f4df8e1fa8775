package io.probelet.kube.watch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** An API server that says what a test has written down, one answer after the other. */
final class Script implements AutoCloseable {
  private final HttpServer server;
  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private record Answer(int code, String text, boolean open) {}

  Script() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** {@return the queries of the requests so far} */
  List<String> asked() {
    return asked;
  }

  Script list(String version, String next, String... items) {
    answers.add(
        new Answer(
            200,
            "{\"kind\":\"NodeList\",\"metadata\":{\"resourceVersion\":\"%s\",\"continue\":\"%s\"},\"items\":[%s]}"
                .formatted(version, next, String.join(",", items)),
            false));
    return this;
  }

  /** A watch that tells these events and ends. */
  Script watch(String... events) {
    answers.add(new Answer(200, String.join("\n", events) + "\n", false));
    return this;
  }

  /** A watch that tells these events and goes on. */
  Script watchOn(String... events) {
    answers.add(new Answer(200, String.join("\n", events) + "\n", true));
    return this;
  }

  Script refuse(int code) {
    answers.add(new Answer(code, "{\"message\":\"refused\"}", false));
    return this;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    asked.add(exchange.getRequestURI().getQuery());
    try {
      Answer answer = answers.take();
      byte[] bytes = answer.text().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.code(), answer.open() ? 0 : bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.getResponseBody().flush();
      if (!answer.open()) {
        exchange.close();
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
