package io.probelet.kube;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.probelet.health.Slots;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.protobuf.ProtobufEnvelope;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A response that its reader pulls. The next chunk is requested when the previous one is taken: at
 * most two chunks are in memory, however long the response is and however slowly it is read.
 */
public final class PulledAnswer implements AutoCloseable {
  private static final int LONGEST_REFUSAL = 1 << 16;

  /** Chunks are never empty. */
  private static final byte[] END = {};

  private final ApiServer api;
  private final HttpRequest request;
  private final Duration timeout;
  private final Queue<byte[]> pieces = new ConcurrentLinkedQueue<>();

  /** A slot for each chunk in the queue. */
  private final Slots arrived;

  private @Nullable CompletableFuture<HttpResponse<AsyncBody>> asked;
  private volatile @Nullable AsyncBody body;

  /** Reads the body of a response. */
  @FunctionalInterface
  public interface Reader {
    /**
     * Reads it.
     *
     * @param body the bytes, plain or gzip
     * @throws IOException if they are not the expected content, or cannot be read
     */
    void read(InputStream body) throws IOException;
  }

  private PulledAnswer(ApiServer api, HttpRequest request, Duration timeout) {
    this.api = api;
    this.request = request;
    this.timeout = timeout;
    this.arrived = new Slots(0, api.threads());
  }

  /** Sends the request. */
  static PulledAnswer to(ApiServer api, HttpClient http, HttpRequest request, Duration timeout) {
    PulledAnswer answer = new PulledAnswer(api, request, timeout);
    try {
      answer.asked = http.consumeBytes(request, answer::take);
    } catch (RejectedExecutionException closed) {
      answer.asked = null;
    }
    return answer;
  }

  private void take(List<ByteBuffer> more, AsyncBody from) {
    byte[] piece = new byte[more.stream().mapToInt(ByteBuffer::remaining).sum()];
    int at = 0;
    for (ByteBuffer each : more) {
      int length = each.remaining();
      each.get(piece, at, length);
      at += length;
    }
    if (piece.length == 0) {
      from.consume();
    } else {
      add(piece);
    }
  }

  private void add(byte[] piece) {
    pieces.add(piece);
    arrived.release();
  }

  /**
   * Waits for the response and passes it to the reader, once.
   *
   * @param reader receives the body, on this thread, if the request is not refused
   * @return {@link Done} without a body if the reader accepted it, else the failure
   * @throws InterruptedException if the thread was interrupted
   */
  public ApiResult read(Reader reader) throws InterruptedException {
    CompletableFuture<HttpResponse<AsyncBody>> coming = asked;
    if (coming == null) {
      return ApiServer.CLOSED;
    }
    try (Body bytes = new Body()) {
      HttpResponse<AsyncBody> response = api.threads().get(coming, timeout);
      AsyncBody begun = response.body();
      body = begun;
      var _ = begun.done().whenComplete((_, _) -> add(END));
      begun.consume();
      if (!response.isSuccessful()) {
        byte[] said = bytes.readNBytes(LONGEST_REFUSAL);
        return api.read(request, response, ProtobufEnvelope.refusal(said));
      }
      reader.read(bytes);
      return new Done(MissingNode.getInstance());
    } catch (TimeoutException late) {
      return new Unanswered("timed out after " + timeout.toMillis() + " ms");
    } catch (ExecutionException failed) {
      return new Unanswered(String.valueOf(failed.getCause()));
    } catch (SilentException silent) {
      return Unanswered.silence(timeout);
    } catch (InterruptedIOException stop) {
      throw new InterruptedException(stop.getMessage());
    } catch (IOException cut) {
      return new Unanswered(String.valueOf(cut.getMessage()));
    } finally {
      close();
    }
  }

  /** Cancels the request or the response. */
  @Override
  public void close() {
    AsyncBody begun = body;
    CompletableFuture<HttpResponse<AsyncBody>> coming = asked;
    if (begun != null) {
      begun.cancel();
    } else if (coming != null) {
      var _ = coming.thenAccept(late -> late.body().cancel());
      coming.cancel(true);
    }
  }

  /** No data arrived for too long. */
  private static final class SilentException extends IOException {
    private static final long serialVersionUID = 1;
  }

  private final class Body extends InputStream {
    private byte[] piece = {};
    private int at;
    private boolean ended;

    @Override
    public int read() throws IOException {
      return isThere() ? piece[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      Objects.checkFromIndexSize(from, length, to.length);
      if (length == 0) {
        return 0;
      }
      if (!isThere()) {
        return -1;
      }
      int taken = Math.min(length, piece.length - at);
      System.arraycopy(piece, at, to, from, taken);
      at += taken;
      return taken;
    }

    @Override
    public int available() {
      return piece.length - at;
    }

    private boolean isThere() throws IOException {
      while (at == piece.length && !ended) {
        next();
      }
      return !ended;
    }

    private void next() throws IOException {
      AsyncBody from = Objects.requireNonNull(body, "the response has begun");
      byte @Nullable [] more;
      try {
        more = arrived.tryAcquire(timeout) ? pieces.remove() : null;
      } catch (InterruptedException stop) {
        throw new InterruptedIOException("interrupted");
      }
      if (more == null) {
        throw new SilentException();
      }
      if (more.length == 0) {
        ended = true;
        requireWhole(from);
        return;
      }
      piece = more;
      at = 0;
      from.consume(); // the next chunk arrives while this one is read
    }

    private void requireWhole(AsyncBody from) throws IOException {
      if (from.done().isCompletedExceptionally()) {
        Throwable why = from.done().exceptionNow();
        throw new IOException(String.valueOf(why), why);
      }
    }
  }
}
