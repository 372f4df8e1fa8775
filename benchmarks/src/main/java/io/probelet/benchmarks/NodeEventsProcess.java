package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.kube.election.ElectionTiming;
import java.time.Duration;

/**
 * Receives node events from the API server in its environment, like the leader, and discards them,
 * until its input ends.
 */
final class NodeEventsProcess {
  private NodeEventsProcess() {}

  public static void main(String[] args) throws Exception {
    Quiet.logs();
    try (ClusterAccess access = new ClusterAccess(null, SystemClock.INSTANCE)) {
      ApiServer api = ApiServer.of(access.client(), ElectionTiming.DEFAULT.deadline());
      Thread receiver = Thread.startVirtualThread(() -> receive(api));
      while (System.in.read() >= 0) {
        // until the harness is done
      }
      receiver.interrupt();
    }
  }

  private static void receive(ApiServer api) {
    try {
      api.follow(
          "/api/v1/nodes?watch=true", ApiServer.PROTOBUF_OR_JSON, Duration.ofDays(1), _ -> {});
    } catch (InterruptedException stop) {
      // the harness is done
    }
  }
}
