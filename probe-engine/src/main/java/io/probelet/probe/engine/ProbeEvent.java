package io.probelet.probe.engine;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.Verdict;
import java.util.Locale;
import java.util.Optional;

/**
 * An event in the kubelet's words (D-6).
 *
 * @param type Normal or Warning
 * @param reason one word in UpperCamelCase
 * @param message for the user
 */
public record ProbeEvent(String type, String reason, String message) {
  /** The reason of the event of a container that is stopped. */
  public static final String KILLING = "Killing";

  /**
   * Makes the event of a finished probe.
   *
   * @param kind which probe
   * @param verdict how it ended
   * @return the event; empty for a success
   */
  public static Optional<ProbeEvent> of(ProbeKind kind, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Success ignored -> Optional.empty();
      case Verdict.Warning warning ->
          warning("ProbeWarning", kind.label() + " probe warning: " + warning.output());
      case Verdict.Failure failure ->
          warning("Unhealthy", kind.label() + " probe failed: " + failure.message());
      case Verdict.ProberError error ->
          warning(
              "Unhealthy",
              kind.label() + " probe errored and resulted in unknown state: " + error.message());
    };
  }

  /** Says that a container is stopped because of a probe. */
  static ProbeEvent killing(ProbeKind kind, ContainerSpec container, boolean willRestart) {
    return new ProbeEvent(
        "Normal",
        KILLING,
        (container.sidecar() ? "Init container " : "Container ")
            + container.name()
            + " failed "
            + kind.label().toLowerCase(Locale.ROOT)
            + " probe"
            + (willRestart ? ", will be restarted" : ""));
  }

  /**
   * {@return the event for a failed preStop hook} Like the kubelet's, it has no details: a server's
   * response may be a secret.
   */
  public static ProbeEvent preStopFailed() {
    return new ProbeEvent("Warning", "FailedPreStopHook", "PreStopHook failed");
  }

  private static Optional<ProbeEvent> warning(String reason, String message) {
    return Optional.of(new ProbeEvent("Warning", reason, message));
  }
}
