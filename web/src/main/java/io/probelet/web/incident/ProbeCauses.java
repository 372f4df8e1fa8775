package io.probelet.web.incident;

import static io.probelet.web.incident.Cause.Confidence.CERTAIN;
import static io.probelet.web.incident.Cause.Confidence.LIKELY;

import io.probelet.web.api.Rfc3339;
import io.probelet.web.incident.ProbeFacts.OutcomeFacts;
import java.util.Optional;

/**
 * Judges why a probe failed. What the kernel counted decides first, then the phases of the probe,
 * and the container's own words last.
 *
 * <pre>
 *   refused at once     → wrong port, slow start, no longer listening
 *   timed out           → CPU limit, node, memory, stopped, disk, hang, busy
 *   an answer           → wrong path, unhealthy by its own account, TLS, DNS
 * </pre>
 */
final class ProbeCauses {
  private final FailedProbe failed;

  private ProbeCauses(FailedProbe failed) {
    this.failed = failed;
  }

  /** {@return the cause of a probe's failure} */
  static Cause of(Incident incident, ProbeFacts probe) {
    return new ProbeCauses(FailedProbe.of(incident, probe)).judge();
  }

  private Cause judge() {
    if (failed.failures().isEmpty()) {
      return failed.probe().outcomes().isEmpty()
          ? EndCauses.unknown(failed.prefix())
          : failed.cause(
              CauseType.PROBER_STALLED,
              CERTAIN,
              "the prober could not work: "
                  + FailedProbe.quoted(failed.probe().outcomes().getLast()),
              "Look at the agent's own health: probelet top");
    }
    Optional<Cause> memory = killedForMemory();
    if (memory.isPresent()) {
      return memory.get();
    }
    String cause = failed.last().cause();
    long same = failed.failures().stream().filter(each -> each.cause().equals(cause)).count();
    if (same * 2 <= failed.failures().size()) {
      return failed.unclear(
          "its probe failed in several ways, last: " + FailedProbe.quoted(failed.last()));
    }
    return switch (cause) {
      case "timeout" -> TimeoutCauses.of(failed);
      case "connect" ->
          failed.last().definite() ? RefusedCauses.of(failed) : TimeoutCauses.of(failed);
      case "resolve" ->
          failed.cause(
              CauseType.DNS,
              CERTAIN,
              "the name that it probes cannot be resolved: " + FailedProbe.quoted(failed.last()),
              "Check the probe's host and the node's DNS");
      case "tls" -> tls();
      case "status" -> status();
      case "exit_code" -> exitCode();
      default -> answered();
    };
  }

  private Optional<Cause> killedForMemory() {
    if (failed.kernel().oomKills() == null || failed.kernel().oomKills() == 0) {
      return Optional.empty();
    }
    Long limit = failed.kernel().memoryLimit();
    String at = limit == null || limit == 0 ? "" : " at its limit of " + EndCauses.mebi(limit);
    return Optional.of(
        failed.cause(
            CauseType.MEMORY_LIMIT,
            CERTAIN,
            "the kernel killed %d of its processes for lack of memory%s"
                .formatted(failed.kernel().oomKills(), at),
            "Raise the memory limit, or find what uses the memory"));
  }

  private Cause tls() {
    String expiry = failed.probe().certificateExpiry();
    boolean expired =
        expiry != null
            && Rfc3339.readOrEpoch(expiry).isBefore(Rfc3339.readOrEpoch(failed.incident().time()));
    return expired
        ? failed.cause(
            CauseType.TLS_EXPIRED,
            CERTAIN,
            "its certificate expired on " + expiry,
            "Renew the certificate")
        : failed.cause(
            CauseType.TLS,
            LIKELY,
            "the TLS handshake failed: " + FailedProbe.quoted(failed.last()),
            "Check the server's certificate and the probe's scheme");
  }

  private Cause status() {
    OutcomeFacts last = failed.last();
    boolean never = failed.neverSucceeded();
    int code = last.code();
    if (code >= 400 && code < 500) {
      return failed.cause(
          CauseType.WRONG_PATH,
          LIKELY, // some servers answer so until they have started
          "it answers the probe with HTTP status %d%s"
              .formatted(code, never ? ", and has never answered otherwise" : ""),
          "Check the probe's path, method and headers");
    }
    return OwnWords.of(failed.incident()).map(failed::complained).orElseGet(this::reported);
  }

  private Cause reported() {
    OutcomeFacts last = failed.last();
    return failed.cause(
        CauseType.REPORTED_UNHEALTHY,
        CERTAIN,
        last.code() > 0 && !failed.probe().handler().equals("exec")
            ? "it answers that it is not healthy (HTTP status " + last.code() + ")"
            : "it answers that it is not healthy: " + FailedProbe.quoted(last),
        "Look at its log");
  }

  private Cause exitCode() {
    OutcomeFacts last = failed.last();
    boolean never = failed.neverSucceeded();
    if ((last.code() == 126 || last.code() == 127) && never) {
      return failed.cause(
          CauseType.PROGRAM_MISSING,
          LIKELY,
          "the probe's command ends with exit code %d and has never succeeded: %s"
              .formatted(last.code(), FailedProbe.quoted(last)),
          "Check the probe's command against the image");
    }
    return OwnWords.of(failed.incident()).map(failed::complained).orElseGet(this::reported);
  }

  private Cause answered() {
    return failed.cause(
        CauseType.REPORTED_UNHEALTHY,
        LIKELY,
        "its answer is not what the probe expects: " + FailedProbe.quoted(failed.last()),
        "Compare the answer with the probe's settings");
  }
}
