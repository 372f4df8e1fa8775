package io.probelet.checks;

import io.probelet.checks.result.CheckResult;

/**
 * A check an author writes (CH-4).
 *
 * @param <T> the kind of resource whose condition it feeds
 */
@FunctionalInterface
public interface HealthCheck<T> {

  /**
   * Finds out how one object is. Called on a virtual thread, so it may block; it is interrupted
   * when the sync period is over.
   *
   * @param run the object, and the clients
   * @return what was found
   * @throws Exception if it could not be found out; the condition becomes Unknown with the message
   */
  CheckResult check(CheckRun<T> run) throws Exception;
}
