package io.probelet.kube.access;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A streaming response read by its own thread, as fast as its consumer requests more. */
final class EndlessResponse implements AsyncBody {
  private static final int PIECE = 16 * 1024;

  private final StandardHttpRequest request;
  private final Consumer<List<ByteBuffer>> consumer;
  private final CompletableFuture<HttpResponse<AsyncBody>> begun = new CompletableFuture<>();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final Semaphore wanted = new Semaphore(0);
  private @Nullable Socket socket;

  /** Opens a connection for a request, and exposes its socket once connected. */
  @FunctionalInterface
  interface Connector {
    HttpURLConnection connect(
        StandardHttpRequest request, java.util.function.Consumer<Socket> connected)
        throws IOException;
  }

  EndlessResponse(StandardHttpRequest request, Consumer<List<ByteBuffer>> consumer) {
    this.request = request;
    this.consumer = consumer;
  }

  /** Sends the request and reads the response, until {@link #done} completes. */
  void start(Connector connector) {
    // A virtual thread would need one more thread switch for each chunk.
    Thread.ofPlatform().daemon().name("watch-" + collection()).start(() -> run(connector));
  }

  private String collection() {
    String path = request.uri().getPath();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private void run(Connector connector) {
    try {
      HttpURLConnection connection = connector.connect(request, this::connected);
      int code = connection.getResponseCode();
      try (InputStream body = body(connection, code)) {
        mayFallSilent();
        begun.complete(new Head(headers(connection), code, this, request));
        passOn(body);
      }
      done.complete(null);
    } catch (Exception failed) { // including exceptions of the consumer
      begun.completeExceptionally(failed);
      done.completeExceptionally(failed);
    }
  }

  private void connected(Socket made) {
    socket = made;
    var _ = done.whenComplete((_, _) -> close(made));
  }

  /** From now on the consumer sets the timeout. */
  private void mayFallSilent() throws IOException {
    if (socket != null) {
      socket.setSoTimeout(0);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // the intended end
    }
  }

  private static InputStream body(HttpURLConnection connection, int code) throws IOException {
    @Nullable InputStream body =
        HttpResponse.isSuccessful(code) ? connection.getInputStream() : connection.getErrorStream();
    return body == null ? InputStream.nullInputStream() : body;
  }

  private void passOn(InputStream body) throws Exception {
    byte[] buffer = new byte[PIECE];
    wanted.acquire();
    for (int read = body.read(buffer); read >= 0 && !done.isDone(); read = body.read(buffer)) {
      consumer.consume(List.of(ByteBuffer.wrap(Arrays.copyOf(buffer, read))), this);
      wanted.acquire();
    }
  }

  private static Map<String, List<String>> headers(HttpURLConnection connection) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    connection
        .getHeaderFields()
        .forEach((name, values) -> {
          if (name != null) { // the status line has no name
            headers.put(name, values);
          }
        });
    return headers;
  }

  /** {@return a future of the response without its body} */
  CompletableFuture<HttpResponse<AsyncBody>> begun() {
    return begun;
  }

  @Override
  public void consume() {
    wanted.release();
  }

  @Override
  public CompletableFuture<Void> done() {
    return done;
  }

  @Override
  public void cancel() {
    done.cancel(false);
    wanted.release();
  }

  /** The status and headers. */
  private static final class Head extends StandardHttpHeaders implements HttpResponse<AsyncBody> {
    private final int code;
    private final AsyncBody body;
    private final HttpRequest request;

    Head(Map<String, List<String>> headers, int code, AsyncBody body, HttpRequest request) {
      super(headers);
      this.code = code;
      this.body = body;
      this.request = request;
    }

    @Override
    public int code() {
      return code;
    }

    @Override
    public AsyncBody body() {
      return body;
    }

    @Override
    public HttpRequest request() {
      return request;
    }

    @Override
    public Optional<HttpResponse<?>> previousResponse() {
      return Optional.empty();
    }
  }
}
