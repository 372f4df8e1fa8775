package io.probelet.simulation.node;

import io.probelet.probe.ProbeHandler;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.MemoryUse;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.CpuQuota;
import io.probelet.simulation.node.ContainerScript.Life;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One instance of a scripted container, from its start to its end, and how it was meanwhile. */
public final class ContainerInstance {
  private static final long PERIOD_NANOS = Duration.ofMillis(100).toNanos();

  /** A container at rest wants to run in every tenth period. */
  private static final int REST = 10;

  private static final long RUNS = Long.MAX_VALUE;
  private static final int PERCENT = 100;

  private final ScriptedContainer container;
  private final String id;
  private final int attempt;
  private final Instant startedAt;
  private final long start;
  private final Life life;
  private final RandomGenerator random;
  private long ended = RUNS;
  private long terminating = RUNS;
  private int exitCode;
  private String reason = "";
  private @Nullable Instant finishedAt;

  /** A container that has just started. */
  ContainerInstance(
      ScriptedContainer container,
      String id,
      int attempt,
      Instant startedAt,
      long start,
      Life life,
      RandomGenerator random) {
    this.container = container;
    this.id = id;
    this.attempt = attempt;
    this.startedAt = startedAt;
    this.start = start;
    this.life = life;
    this.random = random;
  }

  /** {@return the runtime's id} */
  public String id() {
    return id;
  }

  /** {@return the container it is an instance of} */
  public ScriptedContainer container() {
    return container;
  }

  /** {@return how many instances there were before it} */
  public int attempt() {
    return attempt;
  }

  /** {@return when it started, in the world's time} */
  public long start() {
    return start;
  }

  /** {@return when it ended, in the world's time; {@link Long#MAX_VALUE} if it runs} */
  public long ended() {
    return ended;
  }

  /** {@return whether it runs} */
  public boolean running() {
    return ended == RUNS;
  }

  /** {@return how it ended; 0 while it runs} */
  public int exitCode() {
    return exitCode;
  }

  /** {@return one word on how it ended} */
  public String reason() {
    return reason;
  }

  /** {@return when it started, by its machine's wall clock} */
  public Instant startedAt() {
    return startedAt;
  }

  /** {@return when it ended, by its machine's wall clock; null while it runs} */
  public @Nullable Instant finishedAt() {
    return finishedAt;
  }

  Life life() {
    return life;
  }

  RandomGenerator random() {
    return random;
  }

  /** It got TERM, and is no longer healthy from here on. */
  void terminating(long now) {
    terminating = Math.min(terminating, now);
  }

  boolean isTerminating() {
    return terminating != RUNS;
  }

  void end(long now, Instant at, int code, String why) {
    ended = now;
    finishedAt = at;
    exitCode = code;
    reason = why;
  }

  /** {@return how it behaves at a moment of its life} */
  public Behavior at(long now) {
    Behavior outer = Spell.behavior(container.disturbances(), now);
    Behavior own = outer == null ? Spell.behavior(life.spells(), now) : outer;
    return own == null ? container.script().well() : own;
  }

  /**
   * {@return whether a probe that is repeated all the time would have succeeded each time from one
   * moment to another}
   */
  public boolean healthyDuring(long from, long until, ProbeHandler handler, Duration timeout) {
    return start <= from
        && until <= ended
        && until <= terminating
        && changes(from, until).stream().allMatch(at -> at(at).satisfies(handler, timeout));
  }

  /** {@return the same, for a probe that would have failed each time} */
  public boolean failedDuring(long from, long until, ProbeHandler handler, Duration timeout) {
    return start <= from
        && until <= ended
        && changes(from, until).stream().allMatch(at -> at(at).fails(handler, timeout));
  }

  /** The moments of an interval at which its behavior changes, the beginning included. */
  private List<Long> changes(long from, long until) {
    List<Long> moments = new ArrayList<>(List.of(from));
    List<Spell> spells = new ArrayList<>(life.spells());
    spells.addAll(container.disturbances());
    for (Spell spell : spells) {
      for (long moment : new long[] {spell.from(), spell.until()}) {
        if (from < moment && moment < until) {
          moments.add(moment);
        }
      }
    }
    return moments;
  }

  /** {@return what a runtime reports of it} */
  ContainerObservation observed() {
    return running()
        ? ContainerObservation.running(id, startedAt, attempt)
        : new ContainerObservation(
            id, State.TERMINATED, startedAt, exitCode, attempt, reason, false, false);
  }

  /** {@return what the kernel says of it} */
  ContainerEvidence evidence(long now) {
    List<Spell> throttled =
        Stream.concat(life.spells().stream(), container.disturbances().stream())
            .filter(spell -> spell.behavior().throttledPercent() > 0)
            .toList();
    long slowed = throttled.stream().mapToLong(spell -> spell.within(start, now)).sum();
    long stopped =
        throttled.stream()
            .mapToLong(spell ->
                spell.within(start, now)
                    / PERIOD_NANOS
                    * spell.behavior().throttledPercent()
                    / PERCENT)
            .sum();
    long rested = (now - start - slowed) / PERIOD_NANOS / REST;
    long periods = rested + slowed / PERIOD_NANOS;
    boolean hangs = at(now).response() == Behavior.Response.NONE;
    return new ContainerEvidence(
        new CpuQuota(ContainerScript.CPU_MILLIS, periods, stopped),
        periods * ContainerScript.CPU_MILLIS / REST,
        new MemoryUse(ContainerScript.MEMORY_LIMIT, memory(now), 0),
        new StallTimes(stopped * 1_000, 0, 0),
        new ThreadStates(hangs ? 0 : 1, 4, hangs ? 1 : 0, 0, 0),
        at(now).response() == Behavior.Response.REFUSED ? List.of() : container.ports());
  }

  private long memory(long now) {
    return life.end()
        .filter(end -> end.reason().equals("OOMKilled"))
        .map(end ->
            (long)
                (ContainerScript.MEMORY_LIMIT
                    * Math.min(1.0, (now - start) / (double) end.after().toNanos())))
        .orElse(ContainerScript.MEMORY_LIMIT / 4);
  }
}
