package io.probelet.cli.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** A connection to a browser's debugging protocol: questions with answers, and events. */
final class DevTools implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 60;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final Map<String, BiConsumer<String, JsonNode>> sessions = new ConcurrentHashMap<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private final WebSocket socket;

  DevTools(URI address) throws InterruptedException, IOException {
    try {
      socket =
          client
              .newWebSocketBuilder()
              .buildAsync(address, new Reader())
              .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException refused) {
      throw new IOException("the browser does not answer at " + address, refused);
    }
  }

  /** Hands each event of a session to somebody, on the connection's thread. */
  void listen(String session, BiConsumer<String, JsonNode> listener) {
    sessions.put(session, listener);
  }

  void forget(String session) {
    sessions.remove(session);
  }

  /**
   * Asks and waits for the answer.
   *
   * @param session of the page that is asked; empty for the browser
   */
  JsonNode ask(String session, String method, Map<String, ?> params) {
    int id = ids.incrementAndGet();
    ObjectNode question = JSON.createObjectNode().put("id", id).put("method", method);
    question.set("params", JSON.valueToTree(params));
    if (!session.isEmpty()) {
      question.put("sessionId", session);
    }
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    asked.put(id, answer);
    synchronized (socket) {
      socket.sendText(question.toString(), true).join();
    }
    JsonNode said = answer.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
    if (said.has("error")) {
      throw new IllegalStateException(method + ": " + said.path("error").path("message").asText());
    }
    return said.path("result");
  }

  @Override
  public void close() {
    socket.abort();
    client.shutdownNow();
  }

  private void said(String text) {
    try {
      JsonNode message = JSON.readTree(text);
      if (message.has("id")) {
        CompletableFuture<JsonNode> waiting = asked.remove(message.path("id").asInt());
        if (waiting != null) {
          waiting.complete(message);
        }
        return;
      }
      sessions
          .getOrDefault(message.path("sessionId").asText(), (_, _) -> {})
          .accept(message.path("method").asText(), message.path("params"));
    } catch (IOException noJson) {
      throw new UncheckedIOException(noJson);
    }
  }

  private final class Reader implements WebSocket.Listener {
    private final StringBuilder parts = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        String text = parts.toString();
        parts.setLength(0);
        said(text);
      }
      from.request(1);
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      asked.values().forEach(each -> each.completeExceptionally(error));
    }
  }
}
