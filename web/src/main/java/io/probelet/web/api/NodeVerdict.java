package io.probelet.web.api;

import io.probelet.health.ShortText;
import io.probelet.web.api.GuardView.HoldView;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.NodeView.MaintenanceView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a node is, in one line such as {@code 2 of 61 containers not ready; DiskPressure}. Pages and
 * {@code status} show it. What is not known is never reported as healthy.
 *
 * @param severity the worst of its parts
 * @param text the line
 */
public record NodeVerdict(Severity severity, String text) {
  private static final int MAX_TYPES = 3;
  private static final int MAX_TEXT = 1_024;

  /**
   * Decides it.
   *
   * @param containers with at least the newest outcome of each probe
   * @param node the node; null if it could not be read
   */
  public static NodeVerdict of(List<ContainerView> containers, @Nullable NodeView node) {
    Parts parts = new Parts();
    if (node != null) {
      parts.maintenance(node.maintenance());
    }
    parts.containers(containers);
    if (node == null) {
      parts.add(Severity.UNKNOWN, "node unknown");
    } else {
      parts.agent(node.agent());
      parts.conditions(node);
    }
    return new NodeVerdict(parts.worst, String.join("; ", parts.texts));
  }

  /** A degraded condition that is False but changes often is flapping. */
  private static boolean isDegraded(ConditionView condition) {
    return condition.isDegraded() && condition.status().equals("True");
  }

  /** The parts of the line, in order. */
  private static final class Parts {
    private final List<String> texts = new ArrayList<>();
    private Severity worst = Severity.HEALTHY;

    private void add(Severity severity, String part) {
      texts.add(part);
      worst = severity.compareTo(worst) < 0 ? severity : worst;
    }

    private void containers(List<ContainerView> containers) {
      Map<Severity, Integer> counts = new EnumMap<>(Severity.class);
      for (ContainerView container : containers) {
        Severity severity = ContainerHealth.of(container).severity();
        counts.merge(severity, 1, Integer::sum);
      }
      int all = containers.size();
      int healthy = counts.getOrDefault(Severity.HEALTHY, 0);
      if (all == 0) {
        add(Severity.HEALTHY, "no containers");
      } else if (healthy == all) {
        add(
            Severity.HEALTHY,
            all == 1 ? "1 container healthy" : "all " + all + " containers healthy");
      }
      boolean allNotReady =
          containers.stream()
              .filter(each -> ContainerHealth.of(each).severity() == Severity.UNHEALTHY)
              .noneMatch(ContainerView::ready);
      String of = " of " + all + (all == 1 ? " container " : " containers ");
      counts.forEach((severity, count) -> {
        switch (severity) {
          case UNHEALTHY -> add(severity, count + of + (allNotReady ? "not ready" : "unhealthy"));
          case WARNING -> add(severity, count + of + "with a warning");
          case UNKNOWN -> add(severity, count + of + "starting or unknown");
          case HEALTHY -> {}
        }
      });
    }

    /** Maintenance is no problem itself; findings of the agent count as usual. */
    private void maintenance(@Nullable MaintenanceView maintenance) {
      if (maintenance != null) {
        add(
            Severity.HEALTHY,
            ShortText.of(
                "in maintenance until %s (%s)".formatted(maintenance.until(), maintenance.name()),
                MAX_TEXT));
      }
    }

    private void agent(@Nullable AgentView agent) {
      if (agent == null) {
        return;
      }
      if (!agent.trouble().isEmpty()) {
        add(Severity.UNHEALTHY, "agent is not making progress");
      }
      int invalid = agent.manifests() == null ? 0 : agent.manifests().total();
      if (invalid > 0) {
        add(
            Severity.UNHEALTHY,
            invalid + (invalid == 1 ? " invalid manifest" : " invalid manifests"));
      }
      GuardView guard = agent.guard();
      if (guard != null && guard.holds().stream().anyMatch(HoldView::holding)) {
        add(Severity.UNHEALTHY, "restarts on hold");
      }
    }

    private void conditions(NodeView node) {
      types(node, Severity.UNHEALTHY, "", _ -> true);
      types(node, Severity.WARNING, "degraded: ", NodeVerdict::isDegraded);
      types(node, Severity.WARNING, "flapping: ", condition -> !isDegraded(condition));
      types(node, Severity.UNKNOWN, "unknown: ", _ -> true);
      int unknown = node.notKnownYet().size();
      if (unknown > 0) {
        add(
            Severity.UNKNOWN,
            unknown + (unknown == 1 ? " condition" : " conditions") + " not known yet");
      }
      boolean healthy =
          node.conditions().stream().allMatch(each -> each.severity() == Severity.HEALTHY);
      if (healthy && !node.conditions().isEmpty() && unknown == 0) {
        add(Severity.HEALTHY, "no node problems");
      }
    }

    private void types(
        NodeView node, Severity severity, String words, Predicate<ConditionView> which) {
      List<String> types =
          node.conditions().stream()
              .filter(each -> each.severity() == severity && which.test(each))
              .map(ConditionView::type)
              .toList();
      if (!types.isEmpty()) {
        List<String> shown = types.subList(0, Math.min(MAX_TYPES, types.size()));
        int more = types.size() - shown.size();
        add(
            severity,
            ShortText.of(
                words + String.join(", ", shown) + (more > 0 ? " and " + more + " more" : ""),
                MAX_TEXT));
      }
    }
  }
}
