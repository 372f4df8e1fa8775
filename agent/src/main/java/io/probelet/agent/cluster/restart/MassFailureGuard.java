package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.restart.ProbedContainers.Share;
import io.probelet.agent.config.GuardSettings;
import io.probelet.health.TimeSource;
import io.probelet.web.api.GuardView;
import io.probelet.web.api.GuardView.HoldView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Decides whether what fails is the containers or the node. When too many containers turn unhealthy
 * at once, the node is starved or a named condition of it is True, restarts are held: they would
 * not help, and would make it worse.
 *
 * <p>A namespace in which too many fail has its own restarts held, and no other's: what one tenant
 * does to its containers, however many they are, is no reason to leave its neighbours' alone. Only
 * when most namespaces fail so is it the node, and everything is held. Not safe for use by several
 * threads.
 */
final class MassFailureGuard {
  /** Of the namespaces whose restarts are held, those that are shown. */
  static final int MAX_HOLDS = 20;

  /** Of a namespace that was never held; never changed. */
  private static final Hold CALM = new Hold();

  private final Supplier<GuardSettings> settings;
  private final ProbedContainers containers;
  private final HoldingConditions conditions;
  private final Hold node = new Hold();
  private final Map<String, Hold> namespaces = new HashMap<>();

  /** Creates a calm one; {@code settings} may change and are asked each time. */
  MassFailureGuard(
      Supplier<GuardSettings> settings, ProbedContainers containers, HoldingConditions conditions) {
    this.settings = settings;
    this.containers = containers;
    this.conditions = conditions;
  }

  /**
   * Asks whether a restart must wait.
   *
   * @param namespace of the container that is to be restarted
   * @param starved what the node lacks; empty when it has what it needs
   * @return why restarts are held; empty when this one may pass
   */
  Optional<String> holds(String namespace, Optional<String> starved, long now) {
    GuardSettings limits = settings.get();
    if (!limits.enabled()) {
      return Optional.empty();
    }
    Optional<String> ofCondition = conditions.holds(limits, now);
    if (ofCondition.isPresent()) {
      return ofCondition;
    }
    Optional<String> ofNode =
        node.holds(starved.or(() -> mostNamespaces(limits, node.since(now))), limits.hold(), now);
    if (!node.calm()) {
      return ofNode; // held, or held long enough: a trouble is not held once more by namespace
    }
    namespaces.keySet().removeIf(each -> !containers.knows(each));
    Hold own = namespaces.computeIfAbsent(namespace, _ -> new Hold());
    return own.holds(tooMany(namespace, limits, own.since(now)), limits.hold(), now);
  }

  /**
   * {@return how it stands; changes nothing}
   *
   * @param starved what the node lacks; empty when it has what it needs
   */
  GuardView view(Optional<String> starved, TimeSource time) {
    GuardSettings limits = settings.get();
    if (!limits.enabled()) {
      return new GuardView(false, "", List.of(), Map.of());
    }
    long now = time.nanoTime();
    Optional<String> trouble = starved.or(() -> mostNamespaces(limits, node.since(now)));
    List<HoldView> holds = new ArrayList<>();
    Optional<Hold.Standing> ofNode = node.standing(trouble, limits.hold(), now);
    Stream.concat(conditions.standing(limits, now), ofNode.stream())
        .limit(MAX_HOLDS)
        .forEach(standing -> holds.add(view("", standing, time.wallTime())));
    if (ofNode.isEmpty()) {
      new TreeMap<>(namespaces)
          .entrySet().stream()
              .filter(each -> !each.getValue().calm())
              .limit(MAX_HOLDS - holds.size())
              .forEach(each -> {
                Hold own = each.getValue();
                own.standing(tooMany(each.getKey(), limits, own.since(now)), limits.hold(), now)
                    .ifPresent(
                        standing -> holds.add(view(each.getKey(), standing, time.wallTime())));
              });
    }
    return new GuardView(
        true, trouble.or(() -> conditions.trouble(limits)).orElse(""), holds, Map.of());
  }

  /**
   * {@return how a restart of a namespace would be held if it were asked for now; empty if it would
   * pass; changes nothing}
   *
   * @param starved what the node lacks; empty when it has what it needs
   */
  Optional<Hold.Standing> expected(String namespace, Optional<String> starved, long now) {
    GuardSettings limits = settings.get();
    if (!limits.enabled()) {
      return Optional.empty();
    }
    Optional<Hold.Standing> ofCondition = conditions.expected(limits, now);
    if (ofCondition.isPresent()) {
      return ofCondition;
    }
    Optional<String> trouble = starved.or(() -> mostNamespaces(limits, node.since(now)));
    if (trouble.isPresent()) {
      return node.expected(trouble, limits.hold(), now);
    }
    Hold own = namespaces.getOrDefault(namespace, CALM);
    return own.expected(tooMany(namespace, limits, own.since(now)), limits.hold(), now);
  }

  private static HoldView view(String namespace, Hold.Standing standing, Instant now) {
    Instant since = now.minus(standing.held()).truncatedTo(ChronoUnit.SECONDS);
    return new HoldView(
        namespace,
        standing.trouble(),
        since.toString(),
        since.plus(standing.longest()).toString(),
        standing.holding());
  }

  private Optional<String> tooMany(String namespace, GuardSettings limits, long since) {
    Share share = containers.share(namespace, limits.window(), since);
    return share.turned() >= limits.least() && share.exceeds(limits.percent())
        ? Optional.of(
            "%d of %d containers of namespace %s turned unhealthy within %d s"
                .formatted(share.turned(), share.all(), namespace, limits.window().toSeconds()))
        : Optional.empty();
  }

  private Optional<String> mostNamespaces(GuardSettings limits, long since) {
    List<Share> shares = containers.shares(limits.window(), since);
    Share failing =
        new Share(
            (int) shares.stream().filter(share -> share.exceeds(limits.percent())).count(),
            shares.size());
    int turned = shares.stream().mapToInt(Share::turned).sum();
    return shares.size() > 1 && turned >= limits.least() && failing.exceeds(limits.percent())
        ? Optional.of(
            "%d containers turned unhealthy within %d s, in %d of %d namespaces more than %d %%"
                .formatted(
                    turned,
                    limits.window().toSeconds(),
                    failing.turned(),
                    failing.all(),
                    limits.percent()))
        : Optional.empty();
  }
}
