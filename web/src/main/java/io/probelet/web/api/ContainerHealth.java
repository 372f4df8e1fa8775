package io.probelet.web.api;

import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.ProbeView;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The health of a container, and the order in which lists show containers. */
public record ContainerHealth(Severity severity, String words) {
  private static final Comparator<ContainerView> BY_POD =
      Comparator.comparing(ContainerView::namespace).thenComparing(ContainerView::pod);

  private static final ContainerHealth DOWN =
      new ContainerHealth(Severity.UNHEALTHY, "not running");

  private static final Comparator<ContainerView> DOWN_FIRST =
      Comparator.comparing((ContainerView each) -> !of(each).equals(DOWN));

  private static final ContainerHealth WAITING =
      new ContainerHealth(Severity.UNKNOWN, "waiting to be started");

  /**
   * Decides it from the container's state, what its probes publish and their newest outcome.
   *
   * @param container with at least the newest outcome of each probe
   */
  public static ContainerHealth of(ContainerView container) {
    return switch (container.state()) {
      case "Running" ->
          container.role().equals(ContainerView.INIT)
              ? new ContainerHealth(Severity.UNKNOWN, "initializing")
              : running(container);
      case "Completed" -> new ContainerHealth(Severity.HEALTHY, "completed");
      case "Waiting", "ContainerCreating", "PodInitializing" -> WAITING;
      default -> DOWN;
    };
  }

  /**
   * {@return some containers, the worst first, of unhealthy ones those that do not run, then by
   * namespace and pod; those of a pod stay in their order}
   *
   * @param containers with at least the newest outcome of each probe
   */
  public static List<ContainerView> worstFirst(Collection<ContainerView> containers) {
    return Severity.worstFirst(
        containers.stream().sorted(DOWN_FIRST.thenComparing(BY_POD)).toList(),
        each -> of(each).severity());
  }

  /** {@return some probes, those that fail first, then those whose newest outcome did} */
  public static List<ProbeView> failingFirst(Collection<ProbeView> probes) {
    return probes.stream().sorted(Comparator.comparingInt(ContainerHealth::rank)).toList();
  }

  /** {@return whether a probe has failed, or its newest outcome did} */
  static boolean fails(ProbeView probe) {
    return rank(probe) < 2;
  }

  private static int rank(ProbeView probe) {
    if (probe.lastProbe() != null && probe.result().equals("Failure")) {
      return 0;
    }
    return "Failure".equals(probe.lastOutcome()) ? 1 : 2;
  }

  /** {@return what a list of containers leaves out, in words; empty for nothing} */
  public static String more(Collection<ContainerView> hidden) {
    return Severity.more(hidden.stream().map(each -> of(each).severity()).toList());
  }

  private static ContainerHealth running(ContainerView container) {
    if (!container.started()) {
      return new ContainerHealth(Severity.UNKNOWN, "starting");
    }
    if (!container.ready()) {
      return container.probes().stream()
              .anyMatch(probe -> probe.kind().equals("readiness") && probe.lastProbe() == null)
          ? new ContainerHealth(Severity.UNKNOWN, "readiness not probed yet")
          : new ContainerHealth(Severity.UNHEALTHY, "not ready");
    }
    List<ProbeView> probes = container.probes();
    if (probes.stream().anyMatch(probe -> probe.result().equals("Failure"))) {
      return new ContainerHealth(Severity.UNHEALTHY, "ready, but a probe has failed");
    }
    if (anyIs(probes, "error")) {
      return new ContainerHealth(Severity.UNKNOWN, "ready, but a probe could not run");
    }
    if (anyIs(probes, "failed")) {
      return new ContainerHealth(Severity.WARNING, "ready, but a probe fails");
    }
    if (anyIs(probes, "warning") || !container.warnings().isEmpty()) {
      return new ContainerHealth(Severity.WARNING, "ready, with a warning");
    }
    return new ContainerHealth(Severity.HEALTHY, "ready");
  }

  /** Whether the newest outcome of any probe is this. */
  private static boolean anyIs(List<ProbeView> probes, String result) {
    return probes.stream()
        .filter(probe -> probe.lastProbe() != null)
        .anyMatch(probe -> newest(probe).equals(result));
  }

  /** What no version of an agent answers is as good as an error. */
  private static String newest(ProbeView probe) {
    List<OutcomeView> history = probe.outcomes();
    String newest = history.isEmpty() ? "" : history.getLast().result();
    return switch (newest) {
      case "successful", "warning", "failed" -> newest;
      default -> "error";
    };
  }
}
