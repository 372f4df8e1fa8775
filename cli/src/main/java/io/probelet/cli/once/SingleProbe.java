package io.probelet.cli.once;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.service.ProbeService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A probe to run once.
 *
 * @param timeout bound over the whole attempt
 */
record SingleProbe(String what, ProbeHandler handler, ProbeTarget target, Duration timeout) {
  private static final PodRef NO_POD = new PodRef("default", "probe", "probe");

  /** A probe of an address, outside any pod. */
  static SingleProbe at(String what, ProbeHandler handler, String host, Duration timeout) {
    ContainerSpec container =
        new ContainerSpec("probe", false, null, List.of(), Map.of(), Map.of(), Map.of());
    return new SingleProbe(what, handler, new ProbeTarget(NO_POD, container, "", host), timeout);
  }

  /** Runs it, and waits for its end. */
  ProbeOutcome carriedOut(ProbeService service) {
    CompletableFuture<ProbeOutcome> outcome = new CompletableFuture<>();
    service.probe(handler, target, timeout, outcome::complete);
    return outcome.join();
  }
}
