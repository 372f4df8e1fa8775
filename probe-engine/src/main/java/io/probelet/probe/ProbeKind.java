package io.probelet.probe;

/** What a probe decides: whether a container has started, is ready, or must be restarted. */
public enum ProbeKind {
  /** Holds back the other two until it has succeeded once; restarts the container if it fails. */
  STARTUP("Startup", ProbeResult.UNKNOWN),
  /** Says whether the container takes traffic; never restarts it (D-4). */
  READINESS("Readiness", ProbeResult.FAILURE),
  /** Restarts the container when it fails. */
  LIVENESS("Liveness", ProbeResult.SUCCESS);

  private final String label;
  private final ProbeResult initialResult;

  ProbeKind(String label, ProbeResult initialResult) {
    this.label = label;
    this.initialResult = initialResult;
  }

  /** {@return the word used in events and metrics: Startup, Readiness or Liveness} */
  public String label() {
    return label;
  }

  /** {@return what is published for a container before its first decision (W-3.4)} */
  public ProbeResult initialResult() {
    return initialResult;
  }

  /** {@return whether a published failure of this kind restarts the container (D-1)} */
  public boolean restartsContainer() {
    return this != READINESS;
  }
}
