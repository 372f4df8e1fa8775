package io.probelet.kube.access;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.probelet.health.TimeSource;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Creates clients that share a replaceable connection pool. After a replacement, running requests
 * finish on their connections; new requests use new connections with the current certificates.
 */
final class RenewableHttp implements HttpClient.Factory {
  private final HttpClient.Factory connecting = HttpClientUtils.getHttpClientFactory();
  private volatile Connections connections;

  private final ApiAnswers answers;
  private final TimeSource time;

  /** Creates a factory with a connection configuration and a clock. */
  RenewableHttp(Config config, ApiAnswers answers, TimeSource time) {
    this.answers = answers;
    this.time = time;
    connections = connections(config);
  }

  /**
   * Uses new connections for all further requests.
   *
   * @throws RuntimeException on failure; nothing has changed then
   */
  void renew(Config config) {
    // Closing the old connections would abort running requests. They close when idle.
    connections = connections(config);
  }

  private void took(@Nullable HttpResponse<?> response) {
    answers.took(response == null ? null : response.code());
  }

  private Connections connections(Config config) {
    StandardHttpClientBuilder<?, ?, ?> settings =
        (StandardHttpClientBuilder<?, ?, ?>) connecting.newBuilder(config);
    ApiServerTrust.apply(settings, config, time);
    return new Connections(
        (StandardHttpClient<?, ?, ?>) settings.build(), WatchConnections.of(settings));
  }

  /** The connections for responses; streaming responses use {@code endless} if possible. */
  private record Connections(
      StandardHttpClient<?, ?, ?> shared, @Nullable WatchConnections endless) {
    CompletableFuture<HttpResponse<AsyncBody>> send(
        StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
      return endless != null && WatchConnections.take(request)
          ? endless.send(request, consumer)
          : shared.consumeBytesDirect(request, consumer);
    }

    void close() {
      if (endless != null) {
        endless.close();
      }
      shared.close();
    }
  }

  @Override
  public HttpClient.Builder newBuilder() {
    return new ClientBuilder(this);
  }

  private static final class ClientBuilder
      extends StandardHttpClientBuilder<Client, RenewableHttp, ClientBuilder> {
    ClientBuilder(RenewableHttp http) {
      super(http);
    }

    @Override
    public HttpClient build() {
      return new Client(this, client == null ? new AtomicBoolean() : client.getClosed());
    }

    @Override
    protected ClientBuilder newInstance(RenewableHttp http) {
      return new ClientBuilder(http);
    }
  }

  /** Holds tokens and everything else that does not belong to the connection. */
  private static final class Client
      extends StandardHttpClient<Client, RenewableHttp, ClientBuilder> {
    private final RenewableHttp http;

    Client(ClientBuilder builder, AtomicBoolean closed) {
      super(builder, closed);
      http = builder.getClientFactory();
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
        StandardWebSocketBuilder request, WebSocket.Listener listener) {
      return http.connections.shared().buildWebSocketDirect(request, listener);
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
        StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
      CompletableFuture<HttpResponse<AsyncBody>> answer = http.connections.send(request, consumer);
      var _ = answer.whenComplete((response, _) -> http.took(response));
      return answer; // itself, since cancelling it must cancel the request
    }

    @Override
    protected void doClose() {
      http.connections.close();
    }
  }
}
