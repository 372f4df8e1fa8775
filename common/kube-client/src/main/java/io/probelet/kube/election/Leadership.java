package io.probelet.kube.election;

/** A time of leadership, as far as it is known to last. */
@FunctionalInterface
public interface Leadership {
  /**
   * Returns whether one may act right now; to be asked before every write.
   *
   * @return false when the lease was not renewed in time; then it never becomes true again
   */
  boolean isOn();
}
