package io.probelet.web.explain;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.HistoryQuery;
import io.probelet.web.api.ContainerView;
import io.probelet.web.explain.ExplainView.Probe;
import io.probelet.web.http.Containers;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;

/** Explains the containers of an engine. */
public final class Explanations {

  private final Containers containers;
  private final RestartForecast forecast;

  /**
   * Creates a reader of them.
   *
   * @param containers asked at each call
   * @param forecast what follows when a probe fails; asked at each call
   */
  public Explanations(Containers containers, RestartForecast forecast) {
    this.containers = containers;
    this.forecast = forecast;
  }

  /**
   * {@return some containers, sorted by namespace and pod}
   *
   * @param which takes a pod and a container's name, and says whether it is wanted; called on the
   *     event loops
   * @throws TimeoutException if the event loops do not answer in time
   * @throws InterruptedException if the thread was interrupted
   * @throws ExecutionException if they could not answer
   */
  public List<ExplainView> of(BiPredicate<PodRef, String> which)
      throws TimeoutException, InterruptedException, ExecutionException {
    return containers.snapshots(HistoryQuery.ALL, which).stream().map(this::explained).toList();
  }

  private ExplainView explained(ContainerSnapshot container) {
    return new ExplainView(
        containers.view(container, ContainerView.MAX_HISTORY),
        forecast.of(container, ProbeKind.LIVENESS).effect().label(),
        container.probes().stream()
            .map(probe ->
                new Probe(
                    probe.kind().label().toLowerCase(Locale.ROOT),
                    ProbeValues.of(probe.kind(), probe.spec()),
                    NextSteps.of(
                        probe,
                        container.status().observation(),
                        forecast.of(container, probe.kind())),
                    ReproduceCommands.of(probe.spec().handler(), container.target())))
            .toList());
  }
}
