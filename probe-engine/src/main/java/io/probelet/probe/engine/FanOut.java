package io.probelet.probe.engine;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells every listener; what one gets wrong keeps nothing from the others, nor from a worker. */
record FanOut(List<ProbeListener> listeners) implements ProbeListener {
  private static final Logger LOG = LoggerFactory.getLogger(FanOut.class);

  @Override
  public void probed(Probed probe) {
    tell(listener -> listener.probed(probe));
  }

  @Override
  public void published(Published published) {
    tell(listener -> listener.published(published));
  }

  @Override
  public void discarded(Discarded discarded) {
    tell(listener -> listener.discarded(discarded));
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    tell(listener -> listener.restartDecided(decision));
  }

  @Override
  public void containerChanged(ContainerStatus container) {
    tell(listener -> listener.containerChanged(container));
  }

  @Override
  public void stopFailed(RestartDecision decision, String why, Duration retryAfter) {
    tell(listener -> listener.stopFailed(decision, why, retryAfter));
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    tell(listener -> listener.workerEnded(subject));
  }

  @Override
  public void podRemoved(PodRef pod) {
    tell(listener -> listener.podRemoved(pod));
  }

  private void tell(Consumer<ProbeListener> news) {
    for (ProbeListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (Throwable bug) {
        Faults.survive(bug);
        LOG.error("a probe listener failed; the others are told", bug);
      }
    }
  }
}
