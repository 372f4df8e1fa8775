package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.nodehealth.controller.NodeRemediation;
import io.probelet.nodehealth.controller.RemediationListener;
import io.probelet.nodehealth.controller.RemediationSettings;
import java.time.Duration;
import java.util.Random;

/**
 * The leader, against the API server that its environment names, until its input ends. With an
 * argument it merely receives what the leader would.
 */
final class RemediationProcess {
  private RemediationProcess() {}

  public static void main(String[] args) throws Exception {
    Quiet.logs();
    RemediationSettings settings =
        new RemediationSettings(
            "leader",
            "probelet",
            RemediationSettings.LEASE_NAMESPACE,
            RemediationSettings.EVENT_COMPONENT,
            ElectionTiming.DEFAULT);
    try (ClusterAccess access = new ClusterAccess(null, SystemClock.INSTANCE);
        AutoCloseable _ =
            args.length > 0
                ? receive(access)
                : NodeRemediation.start(
                    access.client(),
                    settings,
                    SystemClock.INSTANCE,
                    new Random(),
                    RemediationListener.NONE)) {
      while (System.in.read() >= 0) {
        // until whoever measures is done
      }
    }
  }

  private static AutoCloseable receive(ClusterAccess access) {
    ApiServer api = ApiServer.of(access.client(), ElectionTiming.DEFAULT.deadline());
    return Thread.startVirtualThread(() -> {
      try {
        api.follow("/api/v1/nodes?watch=true", Duration.ofDays(1), _ -> {});
      } catch (InterruptedException stop) {
        // whoever measures is done
      }
    })
        ::interrupt;
  }
}
