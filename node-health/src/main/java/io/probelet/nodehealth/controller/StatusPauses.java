package io.probelet.nodehealth.controller;

import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiRetry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * When each status may be written again: some time after the last write (RB-2, which limits the
 * load on the API server), and after failures in a row later each time. Used only on the loop's
 * thread.
 */
public final class StatusPauses {
  private final TimeSource time;
  private final RandomGenerator random;
  private final Duration apart;
  private final Map<String, Pause> pauses = new HashMap<>();

  private final class Pause {
    private final ApiRetry retry = new ApiRetry(random, apart);
    private long until = time.nanoTime();
    private String trouble = "";

    private void lasts(Duration length) {
      until = time.nanoTime() + length.toNanos();
    }
  }

  /**
   * Starts without any statuses.
   *
   * @param apart minimum time between two writes of one status, above zero
   */
  public StatusPauses(TimeSource time, RandomGenerator random, Duration apart) {
    this.time = time;
    this.random = random;
    this.apart = apart;
  }

  /**
   * {@return how long the write of a status must wait, zero or less if it need not}
   *
   * @param key of the status
   */
  public Duration remaining(String key) {
    Pause pause = pauses.get(key);
    return pause == null ? Duration.ZERO : Duration.ofNanos(pause.until - time.nanoTime());
  }

  /** Records that a write is sent. */
  public void sent(String key) {
    pauses.computeIfAbsent(key, _ -> new Pause()).lasts(apart);
  }

  /**
   * Records the response to a write.
   *
   * @return whether it is a failure to report: other than the last one, and no conflict, which only
   *     means that another client wrote as well
   */
  public boolean answered(String key, ApiResult answer) {
    Pause pause = pauses.get(key);
    if (pause == null) {
      return false;
    }
    if (answer instanceof Done) {
      pause.retry.succeeded();
      pause.trouble = "";
    } else if (!answer.isConflict()) {
      pause.lasts(pause.retry.failed(answer.requestedWait()));
      boolean news = !answer.summary().equals(pause.trouble);
      pause.trouble = answer.summary();
      return news;
    }
    return false;
  }

  /** Forgets a status that is gone. */
  public void forget(String key) {
    pauses.remove(key);
  }
}
