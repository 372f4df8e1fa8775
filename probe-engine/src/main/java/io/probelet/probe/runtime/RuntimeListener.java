package io.probelet.probe.runtime;

import io.probelet.probe.PodRef;

/** Takes what a runtime sees. Calls come one at a time and must not block. */
public interface RuntimeListener {
  /**
   * A pod appeared or changed.
   *
   * @param observation its current snapshot
   */
  void observed(PodObservation observation);

  /**
   * A pod and all its containers are gone.
   *
   * @param pod which one
   */
  void gone(PodRef pod);
}
