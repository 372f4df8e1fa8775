package io.probelet.kube;

import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiResult.Unanswered;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether the API server was last reachable, by the responses to all senders. The first success of
 * one sender ends the waits of the others. Thread-safe.
 */
final class Reachability {
  private final AtomicBoolean lost = new AtomicBoolean();
  private final List<Runnable> whenLost = new CopyOnWriteArrayList<>();
  private final List<Runnable> whenBack = new CopyOnWriteArrayList<>();

  void whenLost(Runnable task) {
    whenLost.add(task);
  }

  /** {@return a task that ends the registration} */
  Runnable whenBack(Runnable task) {
    whenBack.add(task);
    return () -> whenBack.remove(task);
  }

  /** Records a result, and notifies all listeners if it changes the state. */
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
      case Refused _ -> {} // the server responds but may still be starting
    }
  }
}
