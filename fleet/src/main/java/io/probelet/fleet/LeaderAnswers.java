package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.cluster.care.ClusterCare;
import io.probelet.fleet.FleetGap.Kind;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.workload.RestartCounter;
import io.probelet.monitor.lifecycle.NodeLifecycle;
import io.probelet.nodehealth.controller.RemediationController;
import io.probelet.remediator.controller.RemediatorController;
import io.probelet.web.api.JsonLimits;
import io.probelet.web.remediation.RemediationView;
import io.probelet.web.remediation.RemediatorsView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The leaders, and the answers of the leader of remediation.
 *
 * @param remediation null if no leader could be asked
 * @param remediators null likewise
 * @param gaps what could not be read
 */
record LeaderAnswers(
    List<FleetLeader> leaders,
    @Nullable RemediationView remediation,
    @Nullable RemediatorsView remediators,
    List<FleetGap> gaps) {
  /** Before anybody was asked. */
  static final LeaderAnswers NONE = new LeaderAnswers(List.of(), null, null, List.of());

  private static final String LEASES = "Leases of leaders";
  private static final String DECISIONS = "Decisions of the leader";
  private static final String REMEDIATION = RemediationController.LEASE;
  private static final String REMEDIATORS = RemediatorController.LEASE;
  private static final List<String> PARTS =
      List.of(
          ClusterCare.LEASE,
          NodeLifecycle.LEASE,
          REMEDIATION,
          REMEDIATORS,
          RestartCounter.LEADER_LEASE);

  LeaderAnswers {
    leaders = List.copyOf(leaders);
    gaps = List.copyOf(gaps);
  }

  /** {@return whether others differ in nothing but when leases were renewed} */
  boolean isSameButTimes(LeaderAnswers others) {
    return still().equals(others.still());
  }

  private LeaderAnswers still() {
    return new LeaderAnswers(
        leaders.stream().map(FleetLeader::withoutTime).toList(), remediation, remediators, gaps);
  }

  /** Asks, a request after the other. */
  static final class Asking {
    private final ApiServer api;
    private final PodProxy proxy;
    private final String namespace;
    private final TimeSource time;

    /** Asks nobody yet. */
    Asking(ApiServer api, String namespace, TimeSource time) {
      this.api = api;
      this.proxy = new PodProxy(api, time);
      this.namespace = namespace;
      this.time = time;
    }

    LeaderAnswers ask() throws InterruptedException {
      List<FleetLeader> leaders = new ArrayList<>();
      List<FleetGap> gaps = new ArrayList<>();
      for (String part : PARTS) {
        ApiResult answer =
            api.get(
                "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s"
                    .formatted(PodProxy.encoded(namespace), part),
                KeptFields.of("/spec"));
        if (answer instanceof Done(JsonNode lease)) {
          leaders.add(FleetLeader.of(part, lease, time.wallTime()));
        } else if (!answer.isNotFound() && gaps.isEmpty()) {
          gaps.add(gap(answer));
        }
      }
      RemediationView remediation =
          decisions(leaders, REMEDIATION, "/api/v1/remediation", RemediationView::parse, gaps);
      RemediatorsView remediators =
          decisions(leaders, REMEDIATORS, RemediatorsView.PATH, RemediatorsView::parse, gaps);
      return new LeaderAnswers(leaders, remediation, remediators, gaps);
    }

    private FleetGap gap(ApiResult answer) {
      return answer.isForbidden()
          ? new FleetGap(
              LEASES,
              Kind.FORBIDDEN,
              "requires permission: get leases.coordination.k8s.io in namespace " + namespace,
              false)
          : new FleetGap(
              LEASES, Kind.UNREACHABLE, FleetText.of(answer.summary(), FleetText.SENTENCE), false);
    }

    /** How an answer is read. */
    @FunctionalInterface
    private interface Reading<T> {
      T read(byte[] json) throws IOException;
    }

    /** A candidate puts something random behind its name: names of pods have no underscore. */
    private static String pod(FleetLeader leader) {
      int end = leader.holder().indexOf('_');
      return end < 0 ? leader.holder() : leader.holder().substring(0, end);
    }

    /** Where a network policy drops packets each question would take all its time. */
    private static boolean isUnreachable(List<FleetGap> gaps) {
      return gaps.stream()
          .anyMatch(gap -> gap.what().equals(DECISIONS) && gap.kind() == Kind.UNREACHABLE);
    }

    private <T> @Nullable T decisions(
        List<FleetLeader> leaders,
        String part,
        String path,
        Reading<T> reading,
        List<FleetGap> gaps)
        throws InterruptedException {
      FleetLeader leader =
          leaders.stream()
              .filter(each -> each.lease().equals(part) && each.leading())
              .findFirst()
              .orElse(null);
      if (leader == null || isUnreachable(gaps)) {
        return null;
      }
      try {
        return reading.read(
            proxy.get(namespace, pod(leader), FleetAgent.PORT, path, JsonLimits.OF_CLUSTER));
      } catch (IOException unasked) {
        if (gaps.stream().noneMatch(gap -> gap.what().equals(DECISIONS))) {
          gaps.add(
              new FleetGap(
                  DECISIONS,
                  unasked instanceof PodProxy.ForbiddenException
                      ? Kind.FORBIDDEN
                      : Kind.UNREACHABLE,
                  FleetText.of(String.valueOf(unasked.getMessage()), FleetText.SENTENCE)
                      + "; reasons are computed here instead",
                  false));
        }
        return null;
      }
    }
  }
}
