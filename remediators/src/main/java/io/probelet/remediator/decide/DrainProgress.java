package io.probelet.remediator.decide;

import io.probelet.health.GoDuration;
import io.probelet.health.ShortText;
import io.probelet.kube.ApiResult;
import io.probelet.remediator.decide.Action.Cordon;
import io.probelet.remediator.decide.Action.DeletePod;
import io.probelet.remediator.decide.Action.Evict;
import io.probelet.remediator.decide.DrainPod.End;
import io.probelet.remediator.decide.DrainPod.Loss;
import io.probelet.remediator.resource.DrainSpec;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationRequest;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far a drain is, and what it takes next: a part of each kind that drains.
 *
 * <pre>
 *  cordon      evict, again and again         timeout         pods deleted at once, if asked for
 *    |--------------------------------------------|---------------------- 2 min ----|
 *                                                 failed unless force               failed
 * </pre>
 *
 * @param state whether it goes on
 * @param actions what to do next; none once it is over
 * @param again after which time to ask again, if it goes on
 */
public record DrainProgress(State state, String message, List<Action> actions, Duration again) {
  /** Maximum number of concurrent evictions. */
  static final int MAX_AT_ONCE = 10;

  /** How long force-deleted pods may remain: a finalizer may keep them. */
  static final Duration FORCED = Duration.ofMinutes(2);

  private static final int MAX_NAMES = 5;
  private static final int MAX_WHY = 200;
  private static final int PART_OF_ELAPSED = 10;
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Comparator<PodKey> ORDER =
      Comparator.comparing(PodKey::namespace).thenComparing(PodKey::name);

  /** State of a drain. */
  public enum State {
    /** Pods are left. */
    GOING_ON,
    /** No pod is left. */
    DRAINED,
    /** Pods are left, and the drain has given up. */
    FAILED
  }

  /** Copies the actions. */
  public DrainProgress {
    actions = List.copyOf(actions);
  }

  /**
   * Decides what a drain takes next, which goes on for as long as the phase is {@code Draining}.
   */
  static DrainProgress of(Situation<?, DrainPods> situation, DrainSpec spec) {
    return of(
        situation.remediation(),
        spec,
        situation.node(),
        situation.observed(),
        situation.outcomes(),
        situation.status().phase() == RemediationPhase.DRAINING
            ? situation.inPhase()
            : Duration.ZERO);
  }

  /** {@return the step of a remediation whose drain goes on} */
  Step goingOn(Situation<?, ?> situation) {
    return Step.of(situation.status().in(RemediationPhase.DRAINING, message, situation.now()))
        .then(actions)
        .again(again);
  }

  /**
   * Decides what a drain takes next.
   *
   * @param outcomes what came of the step before
   */
  static DrainProgress of(
      RemediationRequest<?> request,
      DrainSpec spec,
      ObservedNode node,
      DrainPods pods,
      List<Outcome> outcomes,
      Duration elapsed) {
    if (!node.unschedulable()) {
      return uncordoned(request, node);
    }
    List<DrainPod> inTheWay = pods.pods().stream().filter(pod -> !pod.left()).toList();
    if (inTheWay.isEmpty() && pods.more() == 0) {
      return new DrainProgress(State.DRAINED, "no pods left to evict", List.of(), Duration.ZERO);
    }
    Optional<String> kept = kept(spec, inTheWay, pods.more());
    if (kept.isPresent()) {
      return new DrainProgress(State.FAILED, kept.get(), List.of(), Duration.ZERO);
    }
    String names = names(inTheWay, pods.more(), outcomes, node);
    if (elapsed.compareTo(spec.timeout()) >= 0) {
      return late(spec, inTheWay, names, outcomes, elapsed);
    }
    List<PodKey> next =
        DrainTurns.next(
            inTheWay.stream().filter(pod -> !pod.ending()).map(DrainPod::key).toList(),
            outcomes.stream()
                .map(Outcome::action)
                .flatMap(action ->
                    action instanceof Evict(PodKey pod, var _) ? Stream.of(pod) : Stream.empty())
                .toList(),
            MAX_AT_ONCE,
            elapsed);
    List<Action> evictions =
        next.stream().<Action>map(pod -> new Evict(pod, spec.gracePeriod())).toList();
    long notAsked = inTheWay.stream().filter(pod -> !pod.ending()).count();
    boolean more = notAsked > next.size() && refusals(outcomes).isEmpty();
    return new DrainProgress(
        State.GOING_ON,
        names,
        evictions,
        shorter(more ? SOON : pause(elapsed), spec.timeout().minus(elapsed)));
  }

  /** ACT-13: on an uncordoned node the scheduler would bring the pods back. */
  private static DrainProgress uncordoned(RemediationRequest<?> request, ObservedNode node) {
    if (request.uid().equals(node.annotations().get(Cordon.MARK))) {
      return new DrainProgress(
          State.FAILED, "the node was uncordoned during the drain", List.of(), Duration.ZERO);
    }
    return new DrainProgress(State.GOING_ON, "cordoning the node", List.of(new Cordon(node)), SOON);
  }

  /** ACT-21: no pod is evicted while the node has a pod that the spec protects or may protect. */
  private static Optional<String> kept(DrainSpec spec, List<DrainPod> inTheWay, int more) {
    List<String> kept =
        inTheWay.stream()
            .filter(pod -> !pod.ending())
            .sorted(Comparator.comparing(DrainPod::key, ORDER))
            .flatMap(pod ->
                pod.losses().stream()
                    .sorted()
                    .filter(loss -> keeps(spec, loss))
                    .limit(1)
                    .map(loss -> "%s (%s)".formatted(pod.key(), loss.text())))
            .toList();
    if (!kept.isEmpty()) {
      return Optional.of(
          "no pods evicted: the spec protects %d: %s%s"
              .formatted(
                  kept.size(),
                  String.join(", ", kept.subList(0, Math.min(MAX_NAMES, kept.size()))),
                  kept.size() > MAX_NAMES ? ", …" : ""));
    }
    return more > 0 && keeps(spec, Loss.UNKNOWN)
        ? Optional.of(
            ("no pods evicted: the spec may protect some of %d unread pods, whose namespace"
                    + " has more than %d")
                .formatted(more, DrainPods.MAX_OF_NAMESPACE))
        : Optional.empty();
  }

  private static boolean keeps(DrainSpec spec, Loss loss) {
    return switch (loss) {
      case POD -> !spec.evictUnmanagedPods();
      case EMPTY_DIR -> !spec.deleteEmptyDirData();
      case UNKNOWN -> !spec.evictUnmanagedPods() || !spec.deleteEmptyDirData();
    };
  }

  /** ACT-16: after the timeout, pods are deleted only with force. */
  private static DrainProgress late(
      DrainSpec spec,
      List<DrainPod> inTheWay,
      String names,
      List<Outcome> outcomes,
      Duration elapsed) {
    String after = "after " + GoDuration.format(spec.timeout()) + " " + names;
    if (!spec.force() || elapsed.compareTo(spec.timeout().plus(FORCED)) >= 0) {
      return new DrainProgress(State.FAILED, after, List.of(), Duration.ZERO);
    }
    List<PodKey> held =
        inTheWay.stream().filter(pod -> pod.end() != End.DELETED).map(DrainPod::key).toList();
    List<PodKey> before =
        outcomes.stream()
            .map(Outcome::action)
            .flatMap(
                action -> action instanceof DeletePod(PodKey pod) ? Stream.of(pod) : Stream.empty())
            .toList();
    return new DrainProgress(
        State.GOING_ON,
        after + "; deleting them now without a grace period",
        DrainTurns.next(held, before, MAX_AT_ONCE, elapsed).stream()
            .<Action>map(DeletePod::new)
            .toList(),
        held.size() > MAX_AT_ONCE ? SOON : SHORTEST_PAUSE);
  }

  private static Map<PodKey, String> refusals(List<Outcome> outcomes) {
    Map<PodKey, String> why = new HashMap<>();
    for (Outcome outcome : outcomes) {
      if (outcome.action() instanceof Evict(PodKey pod, var _) && !outcome.isDone()) {
        why.put(
            pod,
            outcome.result() instanceof ApiResult.Refused(int _, String said, var _)
                ? said
                : outcome.result().summary());
      }
    }
    return why;
  }

  private static String names(
      List<DrainPod> inTheWay, int more, List<Outcome> outcomes, ObservedNode node) {
    int count = inTheWay.size() + more;
    Map<PodKey, String> refused = refusals(outcomes);
    long ending = inTheWay.stream().filter(DrainPod::ending).count();
    String names =
        inTheWay.stream()
            .map(DrainPod::key)
            .sorted(
                Comparator.<PodKey, Boolean>comparing(key -> !refused.containsKey(key))
                    .thenComparing(ORDER))
            .limit(MAX_NAMES)
            .map(key ->
                refused.containsKey(key)
                    ? key + " (" + cut(refused.get(key)) + ")"
                    : key.toString())
            .collect(Collectors.joining(", "));
    return "%d %s left: %s%s%s%s"
        .formatted(
            count,
            count == 1 ? "pod is" : "pods are",
            names,
            count > MAX_NAMES ? ", …" : "",
            more > 0
                ? "; %d of them not read yet, because their namespace has more than %d"
                    .formatted(more, DrainPods.MAX_OF_NAMESPACE)
                : "",
            ending > 0 && !node.isReady()
                ? "; %d of them cannot terminate because the node is not ready".formatted(ending)
                : "");
  }

  private static String cut(String text) {
    return ShortText.of(text, MAX_WHY);
  }

  /**
   * ACT-15: the pause grows with the elapsed time, so no counter is needed that a crash would lose.
   */
  private static Duration pause(Duration elapsed) {
    Duration part = elapsed.dividedBy(PART_OF_ELAPSED);
    return part.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : shorter(part, LONGEST_PAUSE);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
