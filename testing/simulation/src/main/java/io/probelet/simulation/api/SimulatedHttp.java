package io.probelet.simulation.api;

import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.probelet.simulation.kernel.SimulatedProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates clients of one process, whose requests the simulated network carries. */
final class SimulatedHttp implements HttpClient.Factory {
  private final SimulatedProcess process;
  private final BiConsumer<ApiRequest, Exchange> network;
  private final Consumer<@Nullable Integer> answered;
  private final Set<Exchange> running = new LinkedHashSet<>();

  /**
   * Creates a factory.
   *
   * @param network carries requests
   * @param answered receives the status of each answer; null if there was none
   */
  SimulatedHttp(
      SimulatedProcess process,
      BiConsumer<ApiRequest, Exchange> network,
      Consumer<@Nullable Integer> answered) {
    this.process = process;
    this.network = network;
    this.answered = answered;
  }

  @Override
  public HttpClient.Builder newBuilder() {
    return new ClientBuilder(this);
  }

  private static final class ClientBuilder
      extends StandardHttpClientBuilder<Client, SimulatedHttp, ClientBuilder> {
    ClientBuilder(SimulatedHttp http) {
      super(http);
    }

    @Override
    public HttpClient build() {
      return new Client(this, client == null ? new AtomicBoolean() : client.getClosed());
    }

    @Override
    protected ClientBuilder newInstance(SimulatedHttp http) {
      return new ClientBuilder(http);
    }
  }

  private static final class Client
      extends StandardHttpClient<Client, SimulatedHttp, ClientBuilder> {
    private final SimulatedHttp http;

    Client(ClientBuilder builder, AtomicBoolean closed) {
      super(builder, closed);
      http = builder.getClientFactory();
    }

    @Override
    public <V> CompletableFuture<HttpResponse<V>> sendAsync(HttpRequest request, Class<V> type) {
      return ProcessFuture.of(http.process, super.sendAsync(request, type));
    }

    /** Without the client's own retries and timeouts, which pass in real time. */
    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytes(
        HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
      return consumeBytesDirect((StandardHttpRequest) request, consumer);
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
        StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
      if (isClosed()) {
        throw new RejectedExecutionException("the client is closed");
      }
      Exchange exchange = new Exchange(http.process, request, consumer);
      var _ =
          exchange
              .begun()
              .whenComplete(
                  (response, _) -> http.answered.accept(response == null ? null : response.code()));
      http.running.add(exchange);
      var _ = exchange.done().whenComplete((_, _) -> http.running.remove(exchange));
      Duration timeout = timeout(request);
      if (timeout != null) {
        exchange.limit(timeout);
      }
      http.network.accept(
          ApiRequest.of(
              http.process.name(),
              request.method(),
              request.uri(),
              contentType(request),
              String.join(",", request.headers("Accept")),
              request.bodyString() == null ? "" : request.bodyString()),
          exchange);
      return exchange.begun();
    }

    private @Nullable Duration timeout(StandardHttpRequest request) {
      Duration own = request.getTimeout();
      if (own != null && own.isPositive()) {
        return own;
      }
      RequestConfig config = getTag(RequestConfig.class);
      return request.isForStreaming() || config == null || config.getRequestTimeout() == null
          ? null
          : Duration.ofMillis(config.getRequestTimeout());
    }

    private static String contentType(StandardHttpRequest request) {
      String type = request.getContentType();
      return type == null ? "" : type.split(";", 2)[0];
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
        StandardWebSocketBuilder request, WebSocket.Listener listener) {
      return CompletableFuture.failedFuture(
          new UnsupportedOperationException("web sockets are not simulated"));
    }

    @Override
    protected void doClose() {
      List.copyOf(http.running).forEach(each -> each.fail(new IOException("the client is closed")));
    }
  }
}
