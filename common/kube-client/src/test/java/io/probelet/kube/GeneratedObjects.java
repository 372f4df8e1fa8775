package io.probelet.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;

/**
 * An API server with one collection of objects generated while sending, so that they may exceed any
 * memory. Watches stay open without events.
 */
public final class GeneratedObjects implements AutoCloseable {
  private final HttpServer server;
  private final int count;
  private final IntFunction<String> object;
  private final List<String> queries = new CopyOnWriteArrayList<>();

  /**
   * Begins.
   *
   * @param object creates the JSON of an object
   */
  public GeneratedObjects(int count, IntFunction<String> object) throws IOException {
    this.count = count;
    this.object = object;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The queries of all lists so far. */
  public List<String> queries() {
    return List.copyOf(queries);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    exchange.sendResponseHeaders(200, 0);
    if (query.contains("watch=true")) {
      exchange.getResponseBody().flush();
      return; // it is open until the server ends
    }
    queries.add(query);
    int from = number(query, "continue", 0);
    int to = Math.min(count, from + number(query, "limit", count));
    try (exchange;
        OutputStream body = new BufferedOutputStream(exchange.getResponseBody())) {
      write(
          body,
          "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"%s\"},\"items\":["
              .formatted(to == count ? "" : to));
      for (int i = from; i < to; i++) {
        write(body, (i == from ? "" : ",") + object.apply(i));
      }
      write(body, "]}");
    }
  }

  private static int number(String query, String name, int otherwise) {
    for (String pair : query.split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return Integer.parseInt(pair.substring(name.length() + 1));
      }
    }
    return otherwise;
  }

  private static void write(OutputStream body, String text) throws IOException {
    body.write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
