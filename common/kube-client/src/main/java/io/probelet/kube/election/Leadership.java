package io.probelet.kube.election;

/** A period of leadership. */
@FunctionalInterface
public interface Leadership {
  /**
   * Returns whether this process still leads; check it before every write.
   *
   * @return false once the lease was not renewed in time; it never becomes true again
   */
  boolean isOn();
}
