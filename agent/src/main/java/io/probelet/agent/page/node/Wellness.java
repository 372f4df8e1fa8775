package io.probelet.agent.page.node;

import io.probelet.agent.api.ContainerView;
import io.probelet.agent.api.ContainerView.OutcomeView;
import io.probelet.agent.api.ContainerView.ProbeView;
import io.probelet.agent.page.Strip.Mark;
import java.util.List;

/**
 * How a container is, in the order in which a reader wants to see them.
 *
 * @param mark failed, warning, unknown, or good
 * @param words the same for people
 */
record Wellness(Mark mark, String words) {
  private static final String RUNNING = "Running";

  /** Decides it from the container's state, what its probes publish and their newest outcome. */
  static Wellness of(ContainerView container) {
    return switch (container.state()) {
      case RUNNING -> running(container);
      case "Completed" -> new Wellness(Mark.GOOD, "completed");
      case "Waiting", "ContainerCreating", "PodInitializing" ->
          new Wellness(Mark.UNKNOWN, "waiting to be started");
      default -> new Wellness(Mark.FAILED, "not running");
    };
  }

  private static Wellness running(ContainerView container) {
    if (!container.started()) {
      return new Wellness(Mark.UNKNOWN, "starting");
    }
    if (!container.ready()) {
      return container.probes().stream()
              .anyMatch(probe -> probe.kind().equals("readiness") && probe.lastProbe() == null)
          ? new Wellness(Mark.UNKNOWN, "readiness not probed yet")
          : new Wellness(Mark.FAILED, "not ready");
    }
    List<ProbeView> probes = container.probes();
    if (probes.stream().anyMatch(probe -> probe.result().equals("Failure"))) {
      return new Wellness(Mark.FAILED, "ready, but a probe has failed");
    }
    if (probes.stream().anyMatch(probe -> newest(probe) == Mark.UNKNOWN && probed(probe))) {
      return new Wellness(Mark.UNKNOWN, "ready, but a probe could not be carried out");
    }
    if (probes.stream().anyMatch(probe -> newest(probe) == Mark.FAILED)) {
      return new Wellness(Mark.WARNING, "ready, but a probe fails");
    }
    if (probes.stream().anyMatch(probe -> newest(probe) == Mark.WARNING)) {
      return new Wellness(Mark.WARNING, "ready, with a warning");
    }
    return new Wellness(Mark.GOOD, "ready");
  }

  private static boolean probed(ProbeView probe) {
    return probe.lastProbe() != null;
  }

  /** {@return how a probe's newest outcome was; unknown when there is none} */
  static Mark newest(ProbeView probe) {
    List<OutcomeView> history = probe.outcomes();
    return history.isEmpty() ? Mark.UNKNOWN : Mark.ofOutcome(history.getLast().result());
  }

  boolean good() {
    return mark == Mark.GOOD;
  }
}
