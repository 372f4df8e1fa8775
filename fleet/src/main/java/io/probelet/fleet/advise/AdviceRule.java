package io.probelet.fleet.advise;

/** The rules by which settings are proposed. docs/how-to/advise.md lists them. */
public enum AdviceRule {
  /** Answers take longer than the timeout allows. */
  TIMEOUT_TOO_SHORT(
      "measured-timeout-too-short",
      "The timeout ends probes that the container would have answered."),

  /** The timeout alone decides how late a hang is found. */
  TIMEOUT_TOO_LONG(
      "measured-timeout-too-long", "The timeout is far above the slowest answers, so hangs last."),

  /** Failures that pass by themselves restart the container, or nearly do. */
  THRESHOLD_TOO_LOW(
      "measured-threshold-too-low",
      "Failures that pass by themselves restart the container, or nearly do."),

  /** A hang is found later than it may last. */
  HANG_TOO_LONG("measured-hang-too-long", "A hang is found later than it may last."),

  /** The startup probe gives up, or nearly does, before the container has started. */
  STARTUP_TOO_SHORT(
      "measured-startup-too-short", "Containers take longer to start than the probe waits."),

  /** The startup probe waits many times longer than any start took. */
  STARTUP_TOO_LONG(
      "measured-startup-too-long", "A start that hangs is found long after any start took."),

  /** Liveness may restart a container that is still starting. */
  STARTUP_MISSING(
      "measured-startup-missing", "Liveness may restart a container that is still starting."),

  /** Liveness decides no later than readiness by the same check. */
  LIVENESS_EQUALS_READINESS(
      "measured-liveness-equals-readiness",
      "Failures that should only stop traffic restart the container at the same moment."),

  /** Restarts do not help against what liveness checks. */
  LIVENESS_SHARES_FAILURE(
      "measured-liveness-shares-failure",
      "Liveness restarts several pods at once for a failure that they share.");

  private final String id;
  private final String description;

  AdviceRule(String id, String description) {
    this.id = id;
    this.description = description;
  }

  /** {@return its ID for users} */
  public String id() {
    return id;
  }

  /** {@return what is wrong, in one sentence} */
  public String description() {
    return description;
  }
}
