package io.probelet.monitor.track;

import io.probelet.health.ConditionStatus;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.track.Evidence.Coverage;
import io.probelet.monitor.track.RuleState.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * The state of one rule per device: evidence about one device clears no other (B-15). The rule
 * holds as long as it holds for any device.
 *
 * @param common the state without a device, and whether the rule is observed at all
 * @param devices by name, in the order in which they were named first, at most {@link #MAX_DEVICES}
 */
record DeviceStates(RuleState common, Map<String, RuleState> devices) {
  /** Lines of further devices count as unnamed: they are neither dropped nor cleared. */
  static final int MAX_DEVICES = 64;

  static final DeviceStates UNOBSERVED = new DeviceStates(RuleState.UNOBSERVED, Map.of());

  /** A problem of no named device. */
  static DeviceStates holding(String message, ClockReading since) {
    return new DeviceStates(RuleState.holding(message, since), Map.of());
  }

  DeviceStates {
    devices = Collections.unmodifiableMap(new LinkedHashMap<>(devices));
  }

  /** The states that hold. */
  record Holding(String device, Claim claim) {}

  List<Holding> holding() {
    List<Holding> holding = new ArrayList<>();
    add(holding, "", common);
    devices.forEach((device, state) -> add(holding, device, state));
    return holding;
  }

  private static void add(List<Holding> holding, String device, RuleState state) {
    Claim claim = state.settled();
    if (claim != null && state.holds()) {
      holding.add(new Holding(device, claim));
    }
  }

  DeviceStates after(Evidence evidence, NamedRule rule, ClockReading now) {
    return switch (evidence) {
      case Evidence.Matched(_, _, String device) when hasRoomFor(device) -> {
        Map<String, RuleState> next = new LinkedHashMap<>(devices);
        RuleState state = devices.getOrDefault(device, RuleState.UNOBSERVED);
        next.put(device, state.after(evidence, rule, now));
        yield new DeviceStates(common.markObserved(), next);
      }
      case Evidence.Cleared(String device) ->
          new DeviceStates(
              device.isEmpty() ? common.cleared(rule, now) : common.markObserved(),
              each((name, state) ->
                  device.isEmpty() || device.equals(name) ? state.cleared(rule, now) : state));
      default -> new DeviceStates(common.after(evidence, rule, now), devices);
    };
  }

  private boolean hasRoomFor(String device) {
    return !device.isEmpty() && (devices.containsKey(device) || devices.size() < MAX_DEVICES);
  }

  /** A check has run and contradicts the state of the devices that it covers. */
  DeviceStates afterCheck(
      ConditionStatus status, Coverage coverage, NamedRule rule, ClockReading now) {
    if (coverage.whole()) {
      return status == ConditionStatus.FALSE
          ? new DeviceStates(
              common.contradicted(rule, now), each((_, state) -> state.cleared(rule, now)))
          : this;
    }
    return new DeviceStates(
        common,
        each((name, state) -> coverage.well().contains(name) ? state.cleared(rule, now) : state));
  }

  /** Applies the passing of time; states without content are dropped. */
  DeviceStates at(NamedRule rule, ClockReading now) {
    Map<String, RuleState> next = each((_, state) -> state.at(rule, now));
    next.values().removeIf(state -> state.isIdle(rule, now));
    return new DeviceStates(common.at(rule, now), next);
  }

  /** B-17: whether nothing is known of any device because a prerequisite is missing. */
  boolean isUnavailable() {
    return common.isUnavailable() && devices.isEmpty();
  }

  /** B-17: state of an earlier process is held for a while, then dropped. */
  DeviceStates withoutAccess(Duration holdFor, ClockReading now) {
    RuleState without = common.withoutAccess(holdFor, now);
    return without.isUnavailable() && without.sight().isLostFor(holdFor, now)
        ? new DeviceStates(without, Map.of())
        : this;
  }

  private Map<String, RuleState> each(BiFunction<String, RuleState, RuleState> change) {
    Map<String, RuleState> next = new LinkedHashMap<>(devices);
    next.replaceAll(change);
    return next;
  }

  Stream<ClockReading> wakeUps(NamedRule rule, Duration holdFor) {
    return Stream.concat(Stream.of(common), devices.values().stream())
        .flatMap(state -> state.wakeUps(rule, holdFor));
  }

  /** The claims of the rule: all problems, or that there is none. Empty before any observation. */
  List<Claim> claims(Duration holdFor, ClockReading now) {
    Optional<Claim> whole = common.effective(holdFor, now);
    List<Holding> holding = holding();
    boolean unseen = whole.isPresent() && !whole.equals(Optional.ofNullable(common.settled()));
    return unseen || holding.isEmpty()
        ? whole.stream().toList()
        : holding.stream().map(Holding::claim).toList();
  }
}
