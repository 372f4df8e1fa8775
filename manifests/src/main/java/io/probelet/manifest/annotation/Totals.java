package io.probelet.manifest.annotation;

import io.probelet.document.field.Field;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.engine.ProbeLimits;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the annotation of one pod has asked for so far. Each amount has a bound per pod, so that 280
 * pods that all ask for the most fit into the agent's heap, and none keeps it busy.
 */
final class Totals {
  /** Probes of one pod in a second, each part of a combined probe counted. */
  static final int MAX_PER_SECOND = ProbeLimits.DEFAULT.podPerSecond();

  /** As many again as may be used, for those that are refused. */
  private static final int MAX_MEASURED = 2 * Amount.PATTERNS.most;

  private static final long MICROS = Duration.ofSeconds(1).toNanos() / 1000;

  private final Map<Amount, Integer> taken = new EnumMap<>(Amount.class);
  private final Map<List<Integer>, List<Integer>> statuses = new HashMap<>();
  private long perMillionSeconds;
  private int measured;

  /** What is counted. */
  enum Amount {
    /** Each is a connection or a process whenever its probe is due. */
    HANDLERS(32, "handlers"),
    /** Each is searched for in every answer. */
    BODY_RULES(64, "rules for bodies"),
    /** Each is a program that goes over the body. */
    PATTERNS(16, "regular expressions"),
    /** Values that are compared with parts of JSON bodies, those within them counted. */
    JSON_VALUES(128, "values under equals"),
    /** Each is an object that stays, and a step that is taken with every answer. */
    POINTER_LEVELS(128, "levels of JSON pointers"),
    /** Those of ranges counted; equal lists are one. */
    STATUSES(1_000, "different statuses"),
    /** Each is sent with every request. */
    HEADERS(128, "request headers"),
    /** Program and arguments of exec handlers. */
    COMMAND_WORDS(256, "words of commands");

    private final int most;
    private final String name;

    Amount(int most, String name) {
      this.most = most;
      this.name = name;
    }
  }

  /** What had been asked for at some time. */
  record Mark(Map<Amount, Integer> taken, long perMillionSeconds) {
    Mark {
      taken = Map.copyOf(taken);
    }
  }

  /** {@return what has been asked for so far, to come back to} */
  Mark mark() {
    return new Mark(taken, perMillionSeconds);
  }

  /** Forgets what was asked for since then, because it is left out. */
  void backTo(Mark mark) {
    taken.clear();
    taken.putAll(mark.taken());
    perMillionSeconds = mark.perMillionSeconds();
  }

  /** Counts something and complains about it when it is too much for the pod. */
  void take(Field field, Amount amount, int more) {
    int before = taken.getOrDefault(amount, 0);
    int now = (int) Math.min(Integer.MAX_VALUE, (long) before + more);
    taken.put(amount, now);
    if (before <= amount.most && now > amount.most) {
      field.forbidden(
          "a pod may have at most %d %s by annotation".formatted(amount.most, amount.name));
    } else if (before > amount.most) {
      field.forbidden("the pod's %d %s are used up".formatted(amount.most, amount.name));
    }
  }

  /**
   * Counts an expression that is to be compiled, which takes milliseconds, and complains about each
   * that is too much. What is refused afterwards has cost as much: this is never taken back.
   */
  boolean mayMeasure(Field field) {
    measured++;
    if (measured > MAX_MEASURED) {
      field.forbidden(
          "no more than %d regular expressions of an annotation are checked"
              .formatted(MAX_MEASURED));
    }
    return measured <= MAX_MEASURED;
  }

  /** Counts a list of statuses; equal ones of one pod become the same. */
  List<Integer> share(Field field, Collection<Integer> codes) {
    List<Integer> wanted = List.copyOf(codes);
    List<Integer> known = statuses.get(wanted);
    if (known != null) {
      return known;
    }
    take(field, Amount.STATUSES, wanted.size());
    statuses.put(wanted, wanted);
    return wanted;
  }

  /** Counts how often a probe is carried out and complains when that is too often for the pod. */
  void takeRate(Field probe, ProbeHandler handler, Duration period) {
    long micros =
        Math.max(1, period.compareTo(ProbeSpec.SHORTEST) < 0 ? 1 : period.toNanos() / 1000);
    perMillionSeconds += leaves(handler) * MICROS * MICROS / micros;
    if (perMillionSeconds > MAX_PER_SECOND * MICROS) {
      probe.forbidden(
          "a pod may have at most %d probes a second by annotation, parts counted; with this one it has %d"
              .formatted(MAX_PER_SECOND, Math.ceilDiv(perMillionSeconds, MICROS)));
    }
  }

  private static long leaves(ProbeHandler handler) {
    return switch (handler) {
      case AllOf(var parts) -> parts.stream().mapToLong(Totals::leaves).sum();
      case AnyOf(var parts) -> parts.stream().mapToLong(Totals::leaves).sum();
      default -> 1;
    };
  }
}
