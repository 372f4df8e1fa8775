package io.probelet.nodehealth.controller;

import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Duration;

/** Told what happens to remediations, for metrics. Called on one thread; must be quick. */
public interface RemediationListener {
  /** Nobody wants to know. */
  RemediationListener NONE = new RemediationListener() {};

  /**
   * A remediation was created.
   *
   * @param remediation which
   */
  default void created(ObjectRef remediation) {}

  /**
   * A remediation was deleted, as its node is healthy or gone.
   *
   * @param remediation which
   * @param age how long it was there
   */
  default void deleted(ObjectRef remediation, Duration age) {}

  /**
   * A remediation turned out to be older than two days.
   *
   * @param remediation which
   */
  default void grewOld(ObjectRef remediation) {}
}
