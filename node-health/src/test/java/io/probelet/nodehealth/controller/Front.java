package io.probelet.nodehealth.controller;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * Stands before the mocked API server, which offers watches to web sockets only: streams them as
 * real ones do, and passes everything else on.
 */
final class Front implements AutoCloseable {
  private final HttpServer server;
  private final HttpClient http = HttpClient.newHttpClient();
  private final String watches;
  private final String rest;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  /**
   * Opens.
   *
   * @param watches whose watches are streamed
   * @param rest who gets everything else
   */
  Front(String watches, String rest) throws IOException {
    this.watches = watches;
    this.rest = rest;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  /** Whether a watch of a resource, given in the plural, is open: it has told of something. */
  boolean tellsOf(String resource) {
    return told.stream().anyMatch(target -> target.contains("/" + resource + "?"));
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    http.shutdownNow();
  }

  private void handle(HttpExchange exchange) {
    String target = exchange.getRequestURI().toString();
    try {
      if (target.contains("watch=true")) {
        stream(exchange, URI.create(watches.replace("http:", "ws:") + target));
      } else {
        passOn(exchange, URI.create(rest + target));
      }
    } catch (IOException broken) {
      exchange.close(); // as the connection behind was
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void stream(HttpExchange exchange, URI target) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    out.flush();
    var _ =
        http.newWebSocketBuilder()
            .buildAsync(target, new Events(out, () -> told.add(target.toString())));
  }

  private static final class Events implements WebSocket.Listener {
    private final OutputStream out;
    private final Runnable spoke;

    Events(OutputStream out, Runnable spoke) {
      this.out = out;
      this.spoke = spoke;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
      try {
        out.write((text + (last ? "\n" : "")).getBytes(StandardCharsets.UTF_8));
        out.flush();
        spoke.run();
        socket.request(1);
      } catch (IOException gone) {
        socket.abort();
      }
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      onError(socket, new IOException(reason));
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable problem) {
      try {
        out.close();
      } catch (IOException gone) {
        // all the same
      }
    }
  }

  private void passOn(HttpExchange exchange, URI target) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(target);
    byte[] body = exchange.getRequestBody().readAllBytes();
    request.method(
        exchange.getRequestMethod(),
        body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type != null) {
      request.header("Content-Type", type);
    }
    HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
    for (String header : new String[] {"Content-Type", "Retry-After"}) {
      answer
          .headers()
          .firstValue(header)
          .ifPresent(value -> exchange.getResponseHeaders().set(header, value));
    }
    exchange.sendResponseHeaders(
        answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
    exchange.getResponseBody().write(answer.body());
    exchange.close();
  }
}
