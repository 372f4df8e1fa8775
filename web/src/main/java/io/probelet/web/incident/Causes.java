package io.probelet.web.incident;

import io.probelet.web.api.TerminationView;
import java.util.List;

/** Finds the cause of an incident. A pure function of what was recorded. */
public final class Causes {
  private Causes() {}

  /**
   * {@return the cause of an incident, as far as its evidence tells}
   *
   * @param incident what was recorded
   */
  public static Cause of(Incident incident) {
    ProbeFacts probe = incident.probe();
    TerminationView end = incident.end();
    return switch (incident.kind()) {
      case KILLED, EVICTED, HELD, UNREADY ->
          probe == null ? EndCauses.unknown("A probe failed") : ProbeCauses.of(incident, probe);
      case ENDED -> end == null ? EndCauses.unknown("Ended") : EndCauses.of(incident, end);
      case POD_RESTARTED ->
          new Cause(
              CauseType.POD_RESTARTED,
              Cause.Confidence.CERTAIN,
              "Restarted with all containers of its pod (onFailure: pod)",
              "See the container whose probe failed",
              List.of());
      case POD_RESTARTED_BY_RULE ->
          new Cause(
              CauseType.POD_RESTARTED,
              Cause.Confidence.LIKELY, // it may have ended by itself at that moment
              "Restarted with all containers of its pod (rule RestartAllContainers)",
              "See the container that ended first",
              List.of());
      case NOT_STARTED -> EndCauses.notStarted(incident);
      case OTHER ->
          new Cause(
              CauseType.UNKNOWN,
              Cause.Confidence.UNCLEAR,
              "Recorded by a later version of the agent",
              "",
              List.of());
    };
  }
}
