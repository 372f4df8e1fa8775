package io.probelet.web.http;

import io.probelet.health.Threads;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.HistoryQuery;
import io.probelet.web.api.ContainerView;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;

/** Reads containers from the engine, sorted for readers. */
public final class Containers {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Comparator<ContainerSnapshot> ORDER =
      Comparator.comparing((ContainerSnapshot each) -> each.status().pod().namespace())
          .thenComparing(each -> each.status().pod().name());

  private final Engine engine;
  private final Warnings warnings;
  private final Threads threads;

  /** What is wrong with a container's configuration though it is probed. */
  @FunctionalInterface
  public interface Warnings {
    /** Nothing is wrong with any. */
    Warnings NONE = (_, _) -> List.of();

    /** {@return sentences, few and short; empty for nothing} */
    List<String> of(PodRef pod, String container);
  }

  /** The part of the engine that is used here. */
  @FunctionalInterface
  public interface Engine {
    /**
     * {@return some containers, in any order, not necessarily at once}
     *
     * @param wanted how much of each probe's past
     * @param which takes a pod and a container's name, and says whether it is wanted
     */
    CompletableFuture<List<ContainerSnapshot>> snapshot(
        HistoryQuery wanted, BiPredicate<PodRef, String> which);
  }

  /**
   * Creates a reader of them.
   *
   * @param engine asked at each call
   */
  public Containers(Engine engine) {
    this(engine, Warnings.NONE);
  }

  /**
   * Creates a reader of them that knows warnings.
   *
   * @param engine asked at each call
   * @param warnings asked at each call, for each container
   */
  public Containers(Engine engine, Warnings warnings) {
    this(engine, warnings, Threads.MACHINE);
  }

  /**
   * Creates a reader of them that waits in a time of its own.
   *
   * @param engine asked at each call
   * @param warnings asked at each call, for each container
   * @param threads where the engine is waited for
   */
  public Containers(Engine engine, Warnings warnings, Threads threads) {
    this.engine = engine;
    this.warnings = warnings;
    this.threads = threads;
  }

  /**
   * {@return a container as it is shown}
   *
   * @param history how many outcomes of each probe's past are wanted; 0 leaves the field out
   */
  public ContainerView view(ContainerSnapshot snapshot, int history) {
    ContainerStatus status = snapshot.status();
    return ContainerView.of(snapshot, history)
        .withWarnings(warnings.of(status.pod(), status.name()));
  }

  /**
   * {@return all containers, sorted by namespace and pod; those of a pod stay in the order of its
   * manifest}
   *
   * @param history how many outcomes of each probe's past are wanted; 0 leaves the field out
   * @throws TimeoutException if the event loops do not answer within 5 s
   * @throws InterruptedException if the thread was interrupted
   * @throws ExecutionException if they could not answer
   */
  public List<ContainerView> views(int history)
      throws TimeoutException, InterruptedException, ExecutionException {
    return views(HistoryQuery.outcomes(history), (_, _) -> true);
  }

  /**
   * {@return some containers, sorted by namespace and pod; those of a pod stay in the order of its
   * manifest}
   *
   * @param wanted how much of each probe's past; without outcomes the field is left out
   * @param which takes a pod and a container's name, and says whether it is wanted; called on the
   *     event loops
   * @throws TimeoutException if the event loops do not answer within 5 s
   * @throws InterruptedException if the thread was interrupted
   * @throws ExecutionException if they could not answer
   */
  public List<ContainerView> views(HistoryQuery wanted, BiPredicate<PodRef, String> which)
      throws TimeoutException, InterruptedException, ExecutionException {
    return snapshots(wanted, which).stream()
        .map(snapshot -> view(snapshot, wanted.outcomes()))
        .toList();
  }

  /**
   * {@return some containers as the engine knows them, sorted by namespace and pod; those of a pod
   * stay in the order of its manifest}
   *
   * @param wanted how much of each probe's past
   * @param which takes a pod and a container's name, and says whether it is wanted; called on the
   *     event loops
   * @throws TimeoutException if the event loops do not answer within 5 s
   * @throws InterruptedException if the thread was interrupted
   * @throws ExecutionException if they could not answer
   */
  public List<ContainerSnapshot> snapshots(HistoryQuery wanted, BiPredicate<PodRef, String> which)
      throws TimeoutException, InterruptedException, ExecutionException {
    try {
      return threads.get(engine.snapshot(wanted, which), TIMEOUT).stream().sorted(ORDER).toList();
    } catch (TimeoutException silent) {
      throw new TimeoutException(
          "the event loops did not answer within " + TIMEOUT.toSeconds() + "s");
    }
  }
}
