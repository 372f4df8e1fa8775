package io.probelet.probe.engine;

import io.probelet.health.RetryBackoff;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Stops containers by the engine's decisions (D-1), and retries until each is gone. A runtime that
 * fails or hangs delays only that container. The owner of the pod starts the next instance (D-2).
 */
public final class Restarter implements ProbeListener {
  /** The waits before retries. */
  static final RetryBackoff BACKOFF =
      RetryBackoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(30));

  /** A runtime that takes longer than the grace period by this much is given up on and retried. */
  static final Duration STOP_GRACE = Duration.ofSeconds(30);

  private final ProbeLoop loop;
  private final ExecutorService blocking;
  private final ContainerStopper stopper;
  private final ProbeListener report;
  private final Map<String, Stopping> stopping = new HashMap<>();

  /**
   * Creates a restarter that has nothing to stop.
   *
   * @param loop where its decisions are made
   * @param blocking runs the blocking calls, one virtual thread each
   * @param stopper stops the containers
   * @param report notified of failed attempts
   */
  public Restarter(
      ProbeLoop loop, ExecutorService blocking, ContainerStopper stopper, ProbeListener report) {
    this.loop = loop;
    this.blocking = blocking;
    this.stopper = stopper;
    this.report = report;
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    loop.execute(() -> {
      if (!stopping.containsKey(decision.containerId())) {
        Stopping stop = new Stopping(decision);
        stopping.put(decision.containerId(), stop);
        stop.attempt();
      }
    });
  }

  /** A container that is being stopped; used on the loop only. */
  private final class Stopping {
    private final RestartDecision decision;
    private Duration wait = Duration.ZERO;
    private int attempts;

    Stopping(RestartDecision decision) {
      this.decision = decision;
    }

    void attempt() {
      int attempt = ++attempts;
      Future<?> call = blocking.submit(() -> call(attempt));
      loop.schedule(
          decision.grace().plus(STOP_GRACE).toNanos(),
          () -> {
            if (attempt == attempts && stopping.get(decision.containerId()) == this) {
              call.cancel(true);
              failed(attempt, "the runtime did not respond in time");
            }
          });
    }

    private void call(int attempt) {
      try {
        stopper.stop(decision);
        loop.execute(() -> stopping.remove(decision.containerId(), this));
      } catch (InterruptedException givenUp) {
        Thread.currentThread().interrupt();
      } catch (Throwable failure) { // W-11: a bug is tried again as any other failure is
        loop.execute(() -> failed(attempt, String.valueOf(failure.getMessage())));
      }
    }

    private void failed(int attempt, String why) {
      if (attempt != attempts) {
        return; // given up on already
      }
      attempts++;
      wait = BACKOFF.after(wait);
      report.stopFailed(decision, why, wait);
      loop.schedule(wait.toNanos(), this::attempt);
    }
  }
}
