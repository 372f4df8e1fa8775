package io.probelet.simulation.api;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.probelet.simulation.kernel.SimulatedProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer at the client. A thread of the process passes on what arrives, so that a
 * frozen process receives it later and a killed one never.
 */
final class Exchange implements AsyncBody {
  private static final int PIECE = 16 * 1024;

  private final SimulatedProcess process;
  private final HttpRequest request;
  private final Consumer<List<ByteBuffer>> consumer;
  private final ProcessFuture<HttpResponse<AsyncBody>> begun;
  private final ProcessFuture<Void> done;
  private final Deque<byte[]> arrived = new ArrayDeque<>();
  private Runnable abandon = () -> {};
  private int wanted;
  private boolean headPassed;
  private boolean passing;
  private boolean ended;
  private @Nullable IOException failure;

  Exchange(SimulatedProcess process, HttpRequest request, Consumer<List<ByteBuffer>> consumer) {
    this.process = process;
    this.request = request;
    this.consumer = consumer;
    begun = new ProcessFuture<>(process);
    done = new ProcessFuture<>(process);
    var _ =
        begun.whenComplete((_, failed) -> {
          if (failed != null) {
            done.completeExceptionally(failed);
          }
        });
    var _ = done.whenComplete((_, _) -> abandon.run());
  }

  SimulatedProcess process() {
    return process;
  }

  /** {@return a future of the answer without its body; cancelling it abandons the request} */
  CompletableFuture<HttpResponse<AsyncBody>> begun() {
    return begun;
  }

  /** Registers a task that ends the request at the server once the client has stopped waiting. */
  void whenAbandoned(Runnable task) {
    abandon = task;
    if (isOver()) {
      task.run();
    }
  }

  /** {@return whether the client has stopped waiting} */
  boolean isOver() {
    return process.isKilled() || done.isDone() || begun.isCompletedExceptionally();
  }

  /** Fails unless an answer has begun in time. */
  void limit(Duration timeout) {
    var _ =
        process
            .completeOnTimeout(new CompletableFuture<Boolean>(), true, timeout)
            .thenRun(() -> {
              if (!begun.isDone()) {
                fail(new IOException("request timed out"));
              }
            });
  }

  /** The status and the headers arrive. */
  void head(int code, @Nullable Duration retryAfter) {
    process.start(
        "http",
        () -> {
          Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
          headers.put("Content-Type", List.of("application/json"));
          if (retryAfter != null) {
            headers.put("Retry-After", List.of(Long.toString(retryAfter.toSeconds())));
          }
          headPassed = true;
          passing = true;
          begun.complete(new Head(headers, code, this, request));
          passAll(); // on this thread, as the body mostly comes with the head
        });
  }

  /** Bytes of the body arrive. */
  void bytes(byte[] more) {
    if (ended) {
      return;
    }
    for (int from = 0; from < more.length; from += PIECE) {
      arrived.add(Arrays.copyOfRange(more, from, Math.min(more.length, from + PIECE)));
    }
    pass();
  }

  /** The body ends. */
  void end() {
    ended = true;
    pass();
  }

  /** The connection ends. */
  void fail(IOException why) {
    if (ended) {
      return;
    }
    failure = why;
    ended = true;
    if (headPassed) {
      pass();
    } else {
      process.start("http", () -> begun.completeExceptionally(why));
    }
  }

  private void pass() {
    boolean next = arrived.isEmpty() ? ended : wanted > 0;
    if (headPassed && next && !passing && !done.isDone()) {
      passing = true;
      process.start("http", this::passAll);
    }
  }

  private void passAll() {
    try {
      while (wanted > 0 && !arrived.isEmpty() && !done.isDone()) {
        wanted--;
        consumer.consume(List.of(ByteBuffer.wrap(arrived.remove())), this);
      }
      if (arrived.isEmpty() && ended) {
        if (failure == null) {
          done.complete(null);
        } else {
          done.completeExceptionally(failure);
        }
      }
    } catch (Exception refused) { // by the consumer
      done.completeExceptionally(refused);
    } finally {
      passing = false;
    }
  }

  @Override
  public void consume() {
    wanted++;
    pass();
  }

  @Override
  public CompletableFuture<Void> done() {
    return done;
  }

  @Override
  public void cancel() {
    done.cancel(false);
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
