package io.probelet.kube.access;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import io.probelet.health.SystemClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watches with the agent's client after a restart of the API server. */
@Timeout(120)
class ExpiredWatchTest {
  private static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("probelet.io")
          .withVersion("v1alpha1")
          .withKind("ClusterHealth")
          .withPlural("clusterhealths")
          .withNamespaced(false)
          .build();

  @TempDir private Path home;

  /** Expires earlier versions between the first list and the first watch. */
  private static final class StartedAnew extends Dispatcher {
    private final AtomicInteger lists = new AtomicInteger();

    @Override
    public MockResponse dispatch(RecordedRequest request) {
      if (!request.getPath().contains("watch=true")) {
        return new MockResponse().setResponseCode(200).setBody(list(lists.incrementAndGet()));
      }
      boolean expired = request.getPath().contains("resourceVersion=1&");
      return new MockResponse()
          .withWebSocketUpgrade(
              new WebSocketListener() {
                @Override
                public void onOpen(WebSocket socket, Response response) {
                  if (expired) {
                    socket.send(EXPIRED);
                    socket.close(1000, "");
                  }
                }
              });
    }

    private static final String EXPIRED =
        """
        {"type": "ERROR", "object": {"kind": "Status", "apiVersion": "v1", "metadata": {},
          "status": "Failure", "message": "too old resource version: 1 (5)",
          "reason": "Expired", "code": 410}}
        """;

    private static String list(int number) {
      return """
      {"kind": "ClusterHealthList", "apiVersion": "probelet.io/v1alpha1",
        "metadata": {"resourceVersion": "%s"}, "items": [%s]}
      """
          .formatted(
              number == 1 ? "1" : "5",
              number == 1
                  ? ""
                  : """
                  {"kind": "ClusterHealth", "apiVersion": "probelet.io/v1alpha1",
                    "metadata": {"name": "cluster", "uid": "u", "resourceVersion": "4"}}
                  """);
    }
  }

  @Test
  @DisplayName("CH-25 an expired watch lists again, and sees missed changes")
  void listsAnew() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    MockWebServer server = new MockWebServer();
    server.setDispatcher(new StartedAnew());
    server.start();
    Path kubeconfig = home.resolve("kubeconfig");
    Files.writeString(
        kubeconfig,
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s"}}]
        users: [{name: u, user: {token: t}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(server.url("/")));
    try (server;
        ClusterAccess access = new ClusterAccess(kubeconfig, SystemClock.INSTANCE);
        SharedIndexInformer<GenericKubernetesResource> _ =
            access.client().genericKubernetesResources(KIND).inform(new Names(seen))) {
      await().atMost(Duration.ofSeconds(60)).until(() -> seen.contains("cluster"));
    }
  }

  private record Names(List<String> seen)
      implements ResourceEventHandler<GenericKubernetesResource> {
    @Override
    public void onAdd(GenericKubernetesResource object) {
      seen.add(object.getMetadata().getName());
    }

    @Override
    public void onUpdate(GenericKubernetesResource old, GenericKubernetesResource object) {
      seen.add(object.getMetadata().getName());
    }

    @Override
    public void onDelete(GenericKubernetesResource object, boolean finalStateUnknown) {
      seen.remove(object.getMetadata().getName());
    }
  }
}
