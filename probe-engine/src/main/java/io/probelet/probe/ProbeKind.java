package io.probelet.probe;

/** What a probe decides: whether a container has started, is ready, or must be restarted. */
public enum ProbeKind {
  /** Delays the other two until it has succeeded once; restarts the container if it fails. */
  STARTUP("Startup", ProbeResult.UNKNOWN),
  /** Decides whether the container gets traffic; never restarts it (D-4). */
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

  /** {@return the result that is published before the first decision (W-3.4)} */
  public ProbeResult initialResult() {
    return initialResult;
  }

  /** {@return whether a published failure of this kind restarts the container (D-1)} */
  public boolean restartsContainer() {
    return this != READINESS;
  }
}
