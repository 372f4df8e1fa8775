package io.probelet.agent.cluster.restart;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.health.RecentMap;
import io.probelet.health.RetryBackoff;
import io.probelet.health.TimeSource;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.RestartDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts suppressed restarts: containers that a failed probe would have stopped. One that is kept
 * goes on failing, above all while a kubelet that has decided the same lets its grace period run:
 * until that is over it is the same matter, and not counted again. It is reported once, and then at
 * growing intervals (L-1). Safe for use by several threads.
 */
public final class SuppressedRestarts {
  /** The containers that are remembered. */
  static final int MAX_CONTAINERS = 1000;

  /** Delay between two reports of the same container. */
  private static final RetryBackoff REPORTS =
      RetryBackoff.doubling(Duration.ofMinutes(1), Duration.ofHours(1));

  /** One that was not to be stopped for so long was well meanwhile. */
  private static final Duration OVER = Duration.ofMinutes(10);

  /** Why a restart is suppressed or on hold. */
  public enum Why {
    /** The pod is in observe mode. */
    OBSERVED("observed"),
    /** In observe mode, and its own CPU limit throttles it: the restart would be on hold. */
    OBSERVED_THROTTLED("observed_throttled"),
    /** Too many containers fail at once. */
    GUARD("guard"),
    /** Too many replicas of its workload are restarting. */
    WORKLOAD("workload"),
    /** Its own CPU limit throttles it. */
    THROTTLED("throttled"),
    /** It might end as a success. */
    RESTART_POLICY("restart_policy"),
    /** Its pod's predecessor was removed recently. */
    BACK_OFF("back_off");

    private final String label;

    Why(String label) {
      this.label = label;
    }
  }

  /** The probe that had failed, and when. */
  private record Last(ProbeKind kind, Instant at) {}

  private record Kept(String containerId, Why why) {}

  /** Times are nanoseconds of the monotonic clock. */
  private record Episode(long counted, long reported, Duration pause, long asked) {}

  private final TimeSource time;
  private final List<KeptListener> listeners = new CopyOnWriteArrayList<>();
  private final Map<Why, LongAdder> counts = new EnumMap<>(Why.class);
  private final RecentMap<String, Last> last = new RecentMap<>(MAX_CONTAINERS);
  private final RecentMap<Kept, Episode> episodes = new RecentMap<>(MAX_CONTAINERS);

  /** Creates an empty count. */
  public SuppressedRestarts(TimeSource time, KeptListener listener) {
    this.time = time;
    listeners.add(listener);
    for (Why why : Why.values()) {
      counts.put(why, new LongAdder());
    }
  }

  /**
   * Adds a listener.
   *
   * @param listener notified after those before it
   */
  public void addListener(KeptListener listener) {
    listeners.add(listener);
  }

  /** Shows the counts. */
  public void addTo(MeterRegistry metrics) {
    counts.forEach((why, count) ->
        FunctionCounter.builder("probelet.restarts.kept", count, LongAdder::sum)
            .description("Restarts suppressed or put on hold after a failed probe.")
            .tag("reason", why.label)
            .register(metrics));
  }

  /** Records a suppressed restart; returns whether to report it. */
  synchronized boolean isNews(RestartDecision decision, Why why) {
    last.put(decision.containerId(), new Last(decision.subject().kind(), time.wallTime()));
    Kept kept = new Kept(decision.containerId(), why);
    long now = time.nanoTime();
    long grace = nanos(decision.grace());
    Episode known = episodes.get(kept);
    if (known == null || now - known.asked() >= Math.max(OVER.toNanos(), grace)) {
      known = new Episode(now - grace, now, Duration.ZERO, now);
    }
    boolean counts = now - known.counted() >= grace;
    boolean news = counts && now - known.reported() >= known.pause().toNanos();
    if (counts) {
      counted(why).increment();
    }
    episodes.put(
        kept,
        new Episode(
            counts ? now : known.counted(),
            news ? now : known.reported(),
            news ? REPORTS.after(known.pause()) : known.pause(),
            now));
    return news;
  }

  /** Reports what would have happened to a container in observe mode. */
  void observed(RestartDecision decision, String message) {
    listeners.forEach(listener -> listener.observed(decision, message));
  }

  /** Reports that a restart is on hold, or no longer. */
  void report(RestartDecision decision, String reason, String message) {
    listeners.forEach(listener -> listener.kept(decision, reason, message));
  }

  /**
   * {@return when a restart of this instance was last suppressed; empty if never or forgotten}
   *
   * @param kind the probe that had failed
   */
  synchronized Optional<Instant> last(String containerId, ProbeKind kind) {
    Last known = last.get(containerId);
    return known != null && known.kind() == kind ? Optional.of(known.at()) : Optional.empty();
  }

  /** The number of suppressed restarts for this reason. */
  long count(Why why) {
    return counted(why).sum();
  }

  private LongAdder counted(Why why) {
    return Objects.requireNonNull(counts.get(why), "each reason is counted");
  }

  /** Of a grace period that its author chose: half of the clock's resolution is enough. */
  private static long nanos(Duration grace) {
    return grace.compareTo(Duration.ofDays(1)) < 0 ? grace.toNanos() : Duration.ofDays(1).toNanos();
  }
}
