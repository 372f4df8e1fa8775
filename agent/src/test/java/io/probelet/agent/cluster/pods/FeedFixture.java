package io.probelet.agent.cluster.pods;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/** A feed of the node "here", not begun, and the API server that it asks. */
final class FeedFixture implements AutoCloseable {
  final FakeApiServer api = new FakeApiServer();
  final PodFeed feed;
  private final KubernetesClient client = api.client();

  FeedFixture(Duration patience, PodListener listener) throws IOException {
    feed =
        new PodFeed(
            ApiServer.of(client, patience),
            "here",
            AgentConfiguration.DEFAULT.podRules(),
            listener,
            SystemClock.INSTANCE,
            new Random(1));
  }

  @Override
  public void close() {
    feed.close();
    client.close();
    api.close();
  }
}
