package io.probelet.kube.access;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.io.IOException;
import java.net.Proxy;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Connections for streaming responses, each read by its own thread. On shared connections, data
 * passes through several threads, which costs a leader more than processing the events of a large
 * cluster.
 */
final class WatchConnections {
  private static final String SECURE = "https";

  /** The timeout until a response begins. Callers wait for less, but cannot cancel earlier. */
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  static {
    // Otherwise the JDK loads the platform's authorities for an unused default at the first
    // connection: about a megabyte per agent.
    HttpsURLConnection.setDefaultSSLSocketFactory(
        new LayeredTls(() -> (SSLSocketFactory) SSLSocketFactory.getDefault(), _ -> {}));
  }

  private final SSLContext tls;
  private final int connectMillis;
  private final Set<EndlessResponse> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private WatchConnections(SSLContext tls, @Nullable Duration connectTimeout) {
    this.tls = tls;
    connectMillis = connectTimeout == null ? 0 : Math.toIntExact(connectTimeout.toMillis());
  }

  /**
   * {@return connections with these settings; null if only the shared client can connect: without
   * TLS, or through a proxy}
   */
  static @Nullable WatchConnections of(StandardHttpClientBuilder<?, ?, ?> settings) {
    SSLContext tls = settings.getSslContext();
    boolean direct =
        settings.getProxyAddress() == null
            || settings.getProxyType() == HttpClient.ProxyType.DIRECT;
    return tls != null && direct ? new WatchConnections(tls, settings.getConnectTimeout()) : null;
  }

  /** {@return whether a response is streaming and can use its own connection} */
  static boolean take(StandardHttpRequest request) {
    return request.isForStreaming()
        && request.body() == null
        && SECURE.equals(request.uri().getScheme());
  }

  /**
   * Sends a request.
   *
   * @param request one that is {@linkplain #take accepted}
   * @param consumer receives the chunks of the response, one at a time
   * @return a future of the response, completed when it has begun
   * @throws RejectedExecutionException if this is closed
   */
  CompletableFuture<HttpResponse<AsyncBody>> send(
      StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    EndlessResponse response = new EndlessResponse(request, consumer);
    open.add(response);
    var _ = response.done().whenComplete((_, _) -> open.remove(response));
    if (closed) {
      response.cancel();
      throw new RejectedExecutionException("the client is closed");
    }
    response.start(this::connection);
    return response.begun();
  }

  private HttpsURLConnection connection(StandardHttpRequest request, Consumer<Socket> connected)
      throws IOException {
    HttpsURLConnection made =
        (HttpsURLConnection) request.uri().toURL().openConnection(Proxy.NO_PROXY);
    made.setSSLSocketFactory(new LayeredTls(tls::getSocketFactory, connected));
    made.setConnectTimeout(connectMillis);
    made.setReadTimeout(Math.toIntExact(TIMEOUT.toMillis()));
    made.setInstanceFollowRedirects(false);
    made.setUseCaches(false);
    request
        .headers()
        .forEach((name, values) -> values.forEach(value -> made.addRequestProperty(name, value)));
    made.setRequestProperty("Connection", "close");
    return made;
  }

  /** Aborts all running requests. */
  void close() {
    closed = true;
    open.forEach(EndlessResponse::cancel);
  }
}
