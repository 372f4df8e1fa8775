package io.probelet.web.incident;

import static io.probelet.web.incident.Cause.Confidence.CERTAIN;
import static io.probelet.web.incident.Cause.Confidence.LIKELY;
import static io.probelet.web.incident.Cause.Confidence.UNCLEAR;

import io.probelet.web.incident.OwnWords.Complaint;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Judges a probe whose connection was refused: by what listens instead, and by the past. */
final class RefusedCauses {
  private final FailedProbe failed;

  private RefusedCauses(FailedProbe failed) {
    this.failed = failed;
  }

  /** {@return the cause} */
  static Cause of(FailedProbe failed) {
    return new RefusedCauses(failed).judge();
  }

  private Cause judge() {
    String port = failed.probe().port() == 0 ? "its port" : "port " + failed.probe().port();
    List<Integer> listening = failed.kernel().listening();
    if (listening != null
        && !listening.isEmpty()
        && !listening.contains(failed.probe().port())
        && !failed.probe().succeeded()) {
      return failed.cause(
          CauseType.WRONG_PORT,
          LIKELY, // a server may open one port before another
          "nothing listens on %s; it listens on %s".formatted(port, FailedProbe.ports(listening)),
          "Correct the probe's port, or allow for a longer start");
    }
    if (listening != null && listening.contains(failed.probe().port())) {
      return failed.cause(
          CauseType.NOT_LISTENING,
          LIKELY,
          "%s refuses connections, although its pod listens on it: the address is another one"
              .formatted(port),
          "Check the address that the server binds, and the probe's host");
    }
    if (failed.probe().succeeded()) {
      return failed.cause(
          CauseType.NOT_LISTENING,
          CERTAIN,
          "it no longer listens on %s, although it still runs".formatted(port),
          "Look at its log for the end of the server");
    }
    Optional<Complaint> complaint = OwnWords.of(failed.incident());
    if (complaint.isPresent()) {
      return failed.complained(complaint.get());
    }
    boolean none = listening != null && listening.isEmpty();
    if (failed.probe().succeededBefore() || (none && failed.works())) {
      return slowStart(port);
    }
    return failed.cause(
        CauseType.SLOW_START,
        none ? LIKELY : UNCLEAR,
        "nothing has listened on %s since its start%s"
            .formatted(port, none ? "" : ": the port is wrong, or it starts slowly"),
        none ? startAdvice() : "Check the port, then " + lower(startAdvice()));
  }

  private Cause slowStart(String port) {
    Long start = failed.probe().startMs();
    return failed.cause(
        CauseType.SLOW_START,
        LIKELY,
        "it had not finished its start, nothing listened on %s yet%s"
            .formatted(
                port, start == null ? "" : "; an earlier start took " + FailedProbe.seconds(start)),
        startAdvice());
  }

  private String startAdvice() {
    return failed.probe().hasStartup()
        ? "Raise the startup probe's failureThreshold"
        : "Add a startup probe that allows for the whole start";
  }

  private static String lower(String sentence) {
    return sentence.substring(0, 1).toLowerCase(Locale.ROOT) + sentence.substring(1);
  }
}
