package io.probelet.agent.http;

import io.probelet.agent.api.ContainerView;
import io.probelet.probe.engine.ContainerSnapshot;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Asks the engine for all containers and puts them in a reader's order. */
final class Containers {
  private static final int TIMEOUT_SECONDS = 5;
  private static final Comparator<ContainerView> ORDER =
      Comparator.comparing(ContainerView::namespace).thenComparing(ContainerView::pod);

  private final IntFunction<CompletableFuture<List<ContainerSnapshot>>> engine;

  Containers(IntFunction<CompletableFuture<List<ContainerSnapshot>>> engine) {
    this.engine = engine;
  }

  /** Sorted by namespace and pod; the containers of a pod stay in the order of its manifest. */
  List<ContainerView> views(int history)
      throws TimeoutException, InterruptedException, ExecutionException {
    try {
      return engine.apply(history).get(TIMEOUT_SECONDS, TimeUnit.SECONDS).stream()
          .map(snapshot -> ContainerView.of(snapshot, history))
          .sorted(ORDER)
          .toList();
    } catch (TimeoutException silent) {
      throw new TimeoutException("the event loops did not answer within " + TIMEOUT_SECONDS + "s");
    }
  }
}
