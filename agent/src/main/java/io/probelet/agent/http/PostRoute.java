package io.probelet.agent.http;

import io.probelet.agent.http.PostEndpoint.Handler;
import io.probelet.agent.http.PostEndpoint.Limits;
import io.probelet.agent.http.Resource.Answer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where requests are answered, off the loop, a few at a time. */
final class PostRoute implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PostRoute.class);

  private final String path;
  private final Handler handler;
  private final Semaphore atOnce;
  private final Limits limits;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  PostRoute(String path, Handler handler, Semaphore atOnce, Limits limits) {
    this.path = path;
    this.handler = handler;
    this.atOnce = atOnce;
    this.limits = limits;
  }

  String path() {
    return path;
  }

  Limits limits() {
    return limits;
  }

  /** Answers later, on another thread; there are no more requests than connections. */
  void answer(byte[] body, Consumer<Answer> to) {
    try {
      threads.execute(() -> to.accept(answer(body)));
    } catch (RejectedExecutionException closing) {
      to.accept(text(503, "the server is stopping"));
    }
  }

  private Answer answer(byte[] body) {
    try {
      if (!atOnce.tryAcquire(limits.answer().toMillis() / 2, TimeUnit.MILLISECONDS)) {
        return text(503, "too many requests at once");
      }
      try {
        return handler.post(body);
      } finally {
        atOnce.release();
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return text(503, "the server is stopping");
    } catch (Exception failure) {
      LOG.warn("no answer path={} reason=\"{}\"", path, failure.toString());
      return text(500, failure.toString());
    }
  }

  static Answer text(int status, String message) {
    return Answer.of(status, Resource.TEXT, message + "\n");
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
