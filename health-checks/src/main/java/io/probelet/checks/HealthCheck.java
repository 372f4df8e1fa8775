package io.probelet.checks;

import io.probelet.checks.result.CheckResult;

/**
 * A health check of one kind of resource (CH-4). Implementations must be stateless.
 *
 * @param <T> the kind of resource whose condition it feeds
 */
@FunctionalInterface
public interface HealthCheck<T> {

  /**
   * Checks one object. Called on a virtual thread, so it may block. It is interrupted after one
   * sync period.
   *
   * @param run the object, and the clients
   * @return the result
   * @throws Exception if the check could not run; the condition becomes Unknown with the message
   */
  CheckResult check(CheckRun<T> run) throws Exception;
}
