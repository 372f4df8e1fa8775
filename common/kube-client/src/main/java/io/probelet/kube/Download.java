package io.probelet.kube;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer.Sink;
import io.probelet.kube.protobuf.ProtobufEnvelope;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A request whose response is passed on as it arrives. */
final class Download implements AsyncBody.Consumer<List<ByteBuffer>> {
  private static final int LONGEST_REFUSAL = 1 << 16;

  private final ApiServer api;
  private final Sink sink;
  private final ByteArrayOutputStream refusal = new ByteArrayOutputStream();
  private volatile boolean wanted;
  private volatile boolean heard;

  Download(ApiServer api, Sink sink) {
    this.api = api;
    this.sink = sink;
  }

  /**
   * Sends the request and waits until the response ends.
   *
   * @param timeout the longest time until it begins
   * @param silence the longest time without data afterwards; detection may take twice as long
   */
  ApiResult run(HttpClient http, HttpRequest request, Duration timeout, Duration silence)
      throws InterruptedException {
    CompletableFuture<HttpResponse<AsyncBody>> asked;
    try {
      asked = http.consumeBytes(request, this);
    } catch (RejectedExecutionException closed) {
      return ApiServer.CLOSED;
    }
    AsyncBody body = null;
    try {
      HttpResponse<AsyncBody> response = api.threads().get(asked, timeout);
      body = response.body();
      wanted = response.isSuccessful();
      body.consume();
      while (!isOver(body, silence)) {
        if (!heard) {
          return Unanswered.silence(silence);
        }
        heard = false;
      }
      return api.read(
          request, response, wanted ? "" : ProtobufEnvelope.refusal(refusal.toByteArray()));
    } catch (TimeoutException late) {
      return new Unanswered("timed out after " + timeout.toMillis() + " ms");
    } catch (ExecutionException failed) {
      return new Unanswered(String.valueOf(failed.getCause()));
    } finally {
      end(asked, body);
    }
  }

  private boolean isOver(AsyncBody body, Duration silence)
      throws ExecutionException, InterruptedException {
    try {
      api.threads().get(body.done(), silence);
      return true;
    } catch (TimeoutException goingOn) {
      return false;
    }
  }

  private static void end(
      CompletableFuture<HttpResponse<AsyncBody>> asked, @Nullable AsyncBody body) {
    if (body != null) {
      body.cancel();
    } else {
      var _ = asked.thenAccept(late -> late.body().cancel());
      asked.cancel(true);
    }
  }

  @Override
  public void consume(List<ByteBuffer> pieces, AsyncBody body) throws Exception {
    heard = true;
    for (ByteBuffer piece : pieces) {
      if (wanted) {
        sink.take(piece);
      } else if (refusal.size() + piece.remaining() < LONGEST_REFUSAL) {
        byte[] bytes = new byte[piece.remaining()];
        piece.get(bytes);
        refusal.writeBytes(bytes);
      }
    }
    body.consume();
  }
}
