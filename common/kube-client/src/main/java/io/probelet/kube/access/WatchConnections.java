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
 * Connections for answers without end, each read by a thread of its own. On the connections that
 * all other requests share, what comes goes from thread to thread, which costs a leader more than
 * all that it does with the events of a large cluster.
 */
final class WatchConnections {
  private static final String SECURE = "https";

  /** Until an answer begins. Who asks waits for less, but cannot end what has not begun. */
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  static {
    // Else the first connection has the JDK read the machine's authorities for a default of its own
    // that is then not used: the megabyte of them that each agent would keep.
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
   * {@return connections by these settings; null where the shared ones alone know how: without TLS,
   * or through a proxy}
   */
  static @Nullable WatchConnections of(StandardHttpClientBuilder<?, ?, ?> settings) {
    SSLContext tls = settings.getSslContext();
    boolean direct =
        settings.getProxyAddress() == null
            || settings.getProxyType() == HttpClient.ProxyType.DIRECT;
    return tls != null && direct ? new WatchConnections(tls, settings.getConnectTimeout()) : null;
  }

  /** {@return whether an answer has no end, and can be had over a connection of its own} */
  static boolean take(StandardHttpRequest request) {
    return request.isForStreaming()
        && request.body() == null
        && SECURE.equals(request.uri().getScheme());
  }

  /**
   * Sends a request.
   *
   * @param request that is {@linkplain #take taken}
   * @param consumer takes the answer's pieces, one at a time
   * @return the answer, once it has begun
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

  /** Ends all that is under way. */
  void close() {
    closed = true;
    open.forEach(EndlessResponse::cancel);
  }
}
