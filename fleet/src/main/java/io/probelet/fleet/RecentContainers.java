package io.probelet.fleet;

import io.probelet.fleet.FleetContainers.Extent;
import io.probelet.health.TimeSource;
import io.probelet.web.http.AnswerFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unhealthy containers of the cluster for a page or screen that is kept up to date: the agents
 * are asked in the background, once at a time, and only while someone looks. Thread-safe.
 */
public final class RecentContainers {
  private static final Logger LOG = LoggerFactory.getLogger(RecentContainers.class);

  /** Between the end of one round and the begin of the next. */
  public static final Duration PERIOD = Duration.ofSeconds(30);

  private final Supplier<FleetView> fleet;
  private final FleetContainers.Agents agents;
  private final Executor background;
  private final TimeSource time;

  private @Nullable Round last;
  private long ended;
  private boolean asking;

  /**
   * What the agents answered.
   *
   * @param failure why they could not be asked; empty if they could
   * @param at when
   */
  public record Round(Optional<FleetContainers> answer, String failure, Instant at) {}

  /**
   * Creates one that has not asked yet.
   *
   * @param fleet the cluster as it is known
   * @param agents asked in each round
   * @param background runs a round, which takes up to 15 s
   * @param time decides when a round is old
   */
  public RecentContainers(
      Supplier<FleetView> fleet,
      FleetContainers.Agents agents,
      Executor background,
      TimeSource time) {
    this.fleet = fleet;
    this.agents = agents;
    this.background = background;
    this.time = time;
  }

  /** {@return the newest round, empty before the first; begins another one if that is old} */
  public Optional<Round> latest() {
    boolean begin;
    synchronized (this) {
      begin = !asking && (last == null || time.nanoTime() - ended >= PERIOD.toNanos());
      asking |= begin;
    }
    if (begin) {
      background.execute(this::ask);
    }
    synchronized (this) {
      return Optional.ofNullable(last);
    }
  }

  private void ask() {
    Round round;
    try {
      FleetContainers answer = FleetContainers.ask(fleet.get(), agents, Extent.WORST);
      round = new Round(Optional.of(answer), "", time.wallTime());
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      round = new Round(Optional.empty(), "interrupted", time.wallTime());
    } catch (RuntimeException bug) {
      LOG.error("internal error while asking agents, continuing", bug);
      round = new Round(Optional.empty(), AnswerFailure.of(bug), time.wallTime());
    }
    synchronized (this) {
      last = round;
      ended = time.nanoTime();
      asking = false;
    }
  }
}
