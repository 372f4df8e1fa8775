package io.probelet.runtime.process;

import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.RuntimeListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies listeners about pods: each first gets the current state of all pods, then every change,
 * one call at a time.
 */
final class Reports {
  private static final Logger log = LoggerFactory.getLogger(Reports.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<PodRef, PodObservation> latest = new LinkedHashMap<>();
  private final List<RuntimeListener> listeners = new ArrayList<>();

  void watch(RuntimeListener listener) {
    lock.lock();
    try {
      listeners.add(listener);
      latest.values().forEach(pod -> call(listener, it -> it.observed(pod)));
    } finally {
      lock.unlock();
    }
  }

  void observed(PodObservation pod) {
    lock.lock();
    try {
      latest.put(pod.pod(), pod);
      listeners.forEach(listener -> call(listener, it -> it.observed(pod)));
    } finally {
      lock.unlock();
    }
  }

  void gone(PodRef pod) {
    lock.lock();
    try {
      latest.remove(pod);
      listeners.forEach(listener -> call(listener, it -> it.gone(pod)));
    } finally {
      lock.unlock();
    }
  }

  private static void call(RuntimeListener listener, Consumer<RuntimeListener> news) {
    try {
      news.accept(listener);
    } catch (RuntimeException bug) {
      log.error("internal error in a runtime listener, continuing", bug);
    }
  }
}
