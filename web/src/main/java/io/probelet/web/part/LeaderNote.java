package io.probelet.web.part;

import io.probelet.kube.election.LeaderTask;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** What an operator should know of a leader's work, as the note of its part. */
public final class LeaderNote {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private LeaderNote() {}

  /**
   * Asks the work for its problems.
   *
   * @param late the note if there is no answer within 5 s
   * @return the problems, separated by semicolons; empty if there are none, or if this process does
   *     not lead
   */
  public static <T extends AutoCloseable> String of(
      LeaderTask<T> work, Function<T, CompletableFuture<List<String>>> problems, String late) {
    try {
      return String.join("; ", work.ask(problems, TIMEOUT).orElse(List.of()));
    } catch (TimeoutException busy) {
      return late;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
