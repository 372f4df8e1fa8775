package io.probelet.system.cases;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.probelet.health.ReservedPort;
import io.probelet.probe.grpc.ServingHealth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * What the cases' probes are aimed at, one for all of them; the last part of a path is the case.
 */
final class CaseServers implements AutoCloseable {
  /** Of so many answers of {@code /healthz} the last is a failure, whereupon its container ends. */
  private static final int HEALTHY_FOR = 3;

  private final HttpServer http;
  private final ServingHealth grpc = new ServingHealth();
  private final ReservedPort closed = new ReservedPort();
  private final Map<String, Integer> asked = new ConcurrentHashMap<>();
  private final Map<String, Long> first = new ConcurrentHashMap<>();

  CaseServers() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/", this::answer);
    http.start();
  }

  int httpPort() {
    return http.getAddress().getPort();
  }

  int grpcPort() {
    return grpc.port();
  }

  int closedPort() {
    return closed.number();
  }

  /** How long after the case's container had begun its first probe came, in milliseconds. */
  long firstProbeAfterStart(String name) {
    Long begun = first.get("/started/" + name);
    Long probed = first.get("/ok/" + name);
    return begun == null || probed == null ? -1 : (probed - begun) / 1_000_000;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    first.putIfAbsent(path, System.nanoTime());
    String name = path.substring(path.lastIndexOf('/') + 1);
    String page = path.substring(0, path.lastIndexOf('/') + 1);
    switch (page) {
      case "/ok/", "/started/" -> send(exchange, 200, "ok");
      case "/healthz/" ->
          send(exchange, asked.merge(name, 1, Integer::sum) % HEALTHY_FOR == 0 ? 500 : 200, "");
      case "/here/" -> redirect(exchange, "/healthz/" + name);
      case "/away/" -> redirect(exchange, "http://0.0.0.0/");
      default -> send(exchange, 404, "");
    }
  }

  private static void redirect(HttpExchange exchange, String where) throws IOException {
    exchange.getResponseHeaders().add("Location", where);
    send(exchange, 302, "<a href=\"" + where + "\">Found</a>.\n");
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() throws IOException {
    http.stop(0);
    grpc.close();
    closed.close();
  }
}
