package io.probelet.checks.object;

import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Healthy;
import io.probelet.checks.result.CheckResult.NoOpinion;

/**
 * A check of one object by what is written in it.
 *
 * @param <T> the kind of object
 */
@FunctionalInterface
public interface ObjectCheck<T> {

  /**
   * Checks an object; pure, and never throws because of what the object holds.
   *
   * @param object the object as read
   * @return what is to be said of its health
   */
  CheckResult check(T object);

  /**
   * {@return a check that asks {@code next} only if this one finds the object healthy, or has no
   * opinion}
   *
   * @param next the other check
   */
  default ObjectCheck<T> and(ObjectCheck<? super T> next) {
    return object -> {
      CheckResult first = check(object);
      if (first instanceof NoOpinion) {
        CheckResult second = next.check(object);
        return second instanceof NoOpinion ? first : second;
      }
      return first instanceof Healthy ? next.check(object) : first;
    };
  }
}
