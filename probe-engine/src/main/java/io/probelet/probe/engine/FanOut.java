package io.probelet.probe.engine;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls every listener; an exception of one affects neither the others nor a worker. */
record FanOut(List<ProbeListener> listeners) implements ProbeListener {
  private static final Logger LOG = LoggerFactory.getLogger(FanOut.class);

  @Override
  public void probed(Probed probe) {
    for (ProbeListener listener : listeners) { // without the object that a lambda is
      try {
        listener.probed(probe);
      } catch (Throwable bug) {
        failed(bug);
      }
    }
  }

  @Override
  public void published(Published published) {
    notify(listener -> listener.published(published));
  }

  @Override
  public void discarded(Discarded discarded) {
    notify(listener -> listener.discarded(discarded));
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    notify(listener -> listener.restartDecided(decision));
  }

  @Override
  public void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    notify(listener -> listener.containerChanged(before, now));
  }

  @Override
  public void stopFailed(RestartDecision decision, String why, Duration retryAfter) {
    notify(listener -> listener.stopFailed(decision, why, retryAfter));
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    notify(listener -> listener.workerEnded(subject));
  }

  @Override
  public void podRemoved(PodRef pod) {
    notify(listener -> listener.podRemoved(pod));
  }

  private void notify(Consumer<ProbeListener> news) {
    for (ProbeListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (Throwable bug) {
        failed(bug);
      }
    }
  }

  private static void failed(Throwable bug) {
    Faults.rethrowIfFatal(bug);
    LOG.error("internal error in a probe listener, continuing", bug);
  }
}
