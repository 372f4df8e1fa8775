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
 * The amounts that the annotation of one pod has requested so far. Each amount has a limit per pod,
 * so that 280 pods at their limits fit into the agent's heap, and none overloads it.
 */
final class Totals {
  /** Probes of one pod per second, including the parts of combined probes. */
  static final int MAX_PER_SECOND = ProbeLimits.DEFAULT.podPerSecond();

  /** Twice the limit, because rejected expressions are compiled too. */
  private static final int MAX_MEASURED = 2 * Amount.PATTERNS.most;

  private static final long MICROS = Duration.ofSeconds(1).toNanos() / 1000;

  private final Map<Amount, Integer> taken = new EnumMap<>(Amount.class);
  private final Map<List<Integer>, List<Integer>> statuses = new HashMap<>();
  private long perMillionSeconds;
  private int measured;

  /** What is counted. */
  enum Amount {
    /** Each is a connection or a process in every period. */
    HANDLERS(32, "handlers"),
    /** Each is searched for in every response. */
    BODY_RULES(64, "rules for bodies"),
    /** Each is a program that scans the body. */
    PATTERNS(16, "regular expressions"),
    /** Compiled, each takes some 50 bytes of memory. */
    EXPRESSIONS(512, "characters of expressions"),
    /** Values that are compared with parts of JSON bodies, including nested ones. */
    JSON_VALUES(128, "values under equals"),
    /** Each is an object in memory, and a step for every response. */
    POINTER_LEVELS(128, "levels of JSON pointers"),
    /** Includes those of ranges; equal lists count once. */
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

  /** The amounts at an earlier time. */
  record Mark(Map<Amount, Integer> taken, long perMillionSeconds) {
    Mark {
      taken = Map.copyOf(taken);
    }
  }

  /** {@return the current amounts, for {@link #backTo}} */
  Mark mark() {
    return new Mark(taken, perMillionSeconds);
  }

  /** Restores earlier amounts, because a part is ignored. */
  void backTo(Mark mark) {
    taken.clear();
    taken.putAll(mark.taken());
    perMillionSeconds = mark.perMillionSeconds();
  }

  /** Adds an amount and reports an error if the pod exceeds its limit. */
  void take(Field field, Amount amount, int more) {
    int before = taken.getOrDefault(amount, 0);
    int now = (int) Math.min(Integer.MAX_VALUE, (long) before + more);
    taken.put(amount, now);
    if (before <= amount.most && now > amount.most) {
      field.forbidden(
          "annotations of a pod may have at most %d %s".formatted(amount.most, amount.name));
    } else if (before > amount.most) {
      field.forbidden("the pod's limit of %d %s is reached".formatted(amount.most, amount.name));
    }
  }

  /**
   * Counts an expression before its compilation, which takes milliseconds, and reports an error
   * beyond the limit. The count is never restored, because a later rejected expression has cost as
   * much.
   */
  boolean mayMeasure(Field field) {
    measured++;
    if (measured > MAX_MEASURED) {
      field.forbidden("only %d expressions of an annotation are checked".formatted(MAX_MEASURED));
    }
    return measured <= MAX_MEASURED;
  }

  /** Counts a list of statuses; equal lists of one pod share an instance. */
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

  /** Adds the rate of a probe and reports an error if the pod exceeds its limit. */
  void takeRate(Field probe, ProbeHandler handler, Duration period) {
    long micros =
        Math.max(1, period.compareTo(ProbeSpec.SHORTEST) < 0 ? 1 : period.toNanos() / 1000);
    perMillionSeconds += leaves(handler) * MICROS * MICROS / micros;
    if (perMillionSeconds > MAX_PER_SECOND * MICROS) {
      probe.forbidden(
          "annotations of a pod may have at most %d probes a second with parts; this one makes it %d"
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
