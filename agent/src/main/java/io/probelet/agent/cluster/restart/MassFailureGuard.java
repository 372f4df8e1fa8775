package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.restart.ProbedContainers.Share;
import io.probelet.agent.config.GuardSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides whether what fails is the containers or the node. When too many containers turn unhealthy
 * at once, or the node is starved, restarts are held: they would not help, and would make it worse.
 *
 * <p>A namespace in which too many fail has its own restarts held, and no other's: what one tenant
 * does to its containers, however many they are, is no reason to leave its neighbours' alone. Only
 * when most namespaces fail so is it the node, and everything is held. Not safe for use by several
 * threads.
 */
final class MassFailureGuard {
  private final Supplier<GuardSettings> settings;
  private final ProbedContainers containers;
  private final Hold node = new Hold();
  private final Map<String, Hold> namespaces = new HashMap<>();

  /** Creates a calm one; {@code settings} may change and are asked each time. */
  MassFailureGuard(Supplier<GuardSettings> settings, ProbedContainers containers) {
    this.settings = settings;
    this.containers = containers;
  }

  /**
   * Asks whether a restart must wait.
   *
   * @param namespace of the container that is to be restarted
   * @param starved what the node lacks; empty when it has what it needs
   * @param now the monotonic clock, in nanoseconds
   * @return why restarts are held; empty when this one may pass
   */
  Optional<String> holds(String namespace, Optional<String> starved, long now) {
    GuardSettings limits = settings.get();
    if (!limits.enabled()) {
      return Optional.empty();
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
