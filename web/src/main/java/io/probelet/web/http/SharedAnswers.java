package io.probelet.web.http;

import io.probelet.web.http.Resource.Answer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes one answer for all clients that ask at the same time: a thousand health requests cost one
 * check. Thread-safe.
 */
final class SharedAnswers {
  private final Map<String, CompletableFuture<Answer>> making = new ConcurrentHashMap<>();
  private final Executor threads;

  /** Creates it. */
  SharedAnswers(Executor threads) {
    this.threads = threads;
  }

  /**
   * Asks for an answer.
   *
   * @param key names the answer; there are few of these
   * @param maker makes it; not called where it is being made already
   * @param then takes the answer, on a thread that may block
   */
  void get(String key, Supplier<Answer> maker, Consumer<Answer> then) {
    CompletableFuture<Answer> next = new CompletableFuture<>();
    CompletableFuture<Answer> earlier = making.putIfAbsent(key, next);
    CompletableFuture<Void> _ = (earlier == null ? next : earlier).thenAcceptAsync(then, threads);
    if (earlier == null) {
      threads.execute(() -> make(key, maker, next));
    }
  }

  private void make(String key, Supplier<Answer> maker, CompletableFuture<Answer> answer) {
    @Nullable Answer made = null;
    try {
      made = maker.get();
    } finally { // later clients get a new answer even after an error
      making.remove(key);
      if (made == null) {
        answer.cancel(false);
      } else {
        answer.complete(made);
      }
    }
  }
}
