package io.probelet.kube;

import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiResult.Unanswered;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether the API server could be reached last, by the answers of all who ask it. Whoever waits
 * after a failure of theirs learns from the first success of another that they need not. Safe for
 * use by several threads.
 */
final class Reachability {
  private final AtomicBoolean lost = new AtomicBoolean();
  private final List<Runnable> whenLost = new CopyOnWriteArrayList<>();
  private final List<Runnable> whenBack = new CopyOnWriteArrayList<>();

  void whenLost(Runnable task) {
    whenLost.add(task);
  }

  /** {@return to be run when the task is no longer to be notified} */
  Runnable whenBack(Runnable task) {
    whenBack.add(task);
    return () -> whenBack.remove(task);
  }

  /** Takes an answer, and notifies all listeners if it is the first for a while. */
  void took(ApiResult answer) {
    switch (answer) {
      case Unanswered _ -> {
        if (lost.compareAndSet(false, true)) {
          whenLost.forEach(Runnable::run);
        }
      }
      case Done _ -> {
        if (lost.compareAndSet(true, false)) {
          whenBack.forEach(Runnable::run);
        }
      }
      case Refused _ -> {} // somebody answers, but perhaps not for long: it may be starting
    }
  }
}
