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
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Creates clients that share a replaceable connection pool. After a replacement, running requests
 * finish on their connections; new requests use new connections with the current certificates.
 */
final class RenewableHttp implements HttpClient.Factory {
  private final HttpClient.Factory connecting = HttpClientUtils.getHttpClientFactory();
  private volatile Connections connections;
  private Config config; // guarded by this

  private final ApiAnswers answers;
  private final TimeSource time;

  /** Creates a factory with a connection configuration and a clock. */
  RenewableHttp(Config config, ApiAnswers answers, TimeSource time) {
    this.answers = answers;
    this.time = time;
    this.config = config;
    connections = connections(config);
  }

  /**
   * Uses new connections for all further requests.
   *
   * @throws RuntimeException on failure; nothing has changed then
   */
  synchronized void renew(Config now) {
    // Closing the old connections would abort running requests. They close when idle.
    connections = connections(now);
    config = now;
  }

  private void took(
      Connections used, @Nullable HttpResponse<?> response, @Nullable Throwable failure) {
    answers.took(response == null ? null : response.code());
    Throwable why = failure instanceof CompletionException ? failure.getCause() : failure;
    if (why instanceof HttpTimeoutException && !(why instanceof HttpConnectTimeoutException)) {
      silent(used);
    }
  }

  /**
   * HTTP/2 sends all requests over one connection. If its other end is gone without a word, as
   * after a power failure, the kernel keeps trying for 15 minutes.
   */
  private synchronized void silent(Connections used) {
    if (used.equals(connections)) {
      connections = new Connections(shared(settings(config)), used.endless());
    }
  }

  private Connections connections(Config config) {
    StandardHttpClientBuilder<?, ?, ?> settings = settings(config);
    return new Connections(shared(settings), WatchConnections.of(settings));
  }

  private StandardHttpClientBuilder<?, ?, ?> settings(Config config) {
    StandardHttpClientBuilder<?, ?, ?> settings =
        (StandardHttpClientBuilder<?, ?, ?>) connecting.newBuilder(config);
    ApiServerTrust.apply(settings, config, time);
    return settings;
  }

  private static StandardHttpClient<?, ?, ?> shared(StandardHttpClientBuilder<?, ?, ?> settings) {
    return (StandardHttpClient<?, ?, ?>) settings.build();
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
      Connections used = http.connections;
      CompletableFuture<HttpResponse<AsyncBody>> answer = used.send(request, consumer);
      var _ = answer.whenComplete((response, failure) -> http.took(used, response, failure));
      return answer; // itself, since cancelling it must cancel the request
    }

    @Override
    protected void doClose() {
      http.connections.close();
    }
  }
}
