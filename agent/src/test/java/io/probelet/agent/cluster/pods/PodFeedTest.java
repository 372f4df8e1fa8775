package io.probelet.agent.cluster.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.agent.cluster.ApiPods;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.FakeApiServer.Request;
import io.probelet.probe.PodRef;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** How the pods of a node are followed through everything that may end a watch. */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class PodFeedTest {
  private FakeApiServer api;
  private FeedFixture fixture;
  private PodFeed feed;
  private final List<String> told = new CopyOnWriteArrayList<>();

  @BeforeEach
  void feed() throws IOException {
    PodListener listener =
        new PodListener() {
          @Override
          public void listed(Set<PodRef> there) {
            told.add("listed " + there.stream().map(PodRef::name).sorted().toList());
          }

          @Override
          public void changed(ClusterPod pod) {
            told.add("changed " + pod.ref().name());
          }

          @Override
          public void removed(ClusterPod pod) {
            told.add("removed " + pod.ref().name());
          }
        };
    fixture = new FeedFixture(Duration.ofSeconds(30), listener);
    api = fixture.api;
    feed = fixture.feed;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  @DisplayName("pods are listed page by page, only this node's, then watched from there")
  void pages() throws IOException {
    for (int i = 0; i < 120; i++) {
      api.put(ApiPods.running("p" + i));
    }
    feed.start();
    patiently().until(() -> api.openWatches() == 1);

    assertThat(api.lists()).extracting(list -> list.query().get("continue")).hasSize(3);
    assertThat(api.requests())
        .allSatisfy(
            each -> assertThat(each.query()).containsEntry("fieldSelector", "spec.nodeName=here"));
    assertThat(api.watchRequests().getFirst().query())
        .containsEntry("resourceVersion", "220")
        .containsEntry("allowWatchBookmarks", "true")
        .containsKey("timeoutSeconds");
    assertThat(told).hasSize(121).startsWith("changed p0", "changed p1").contains("changed p119");
    assertThat(told.getLast()).startsWith("listed [p0, ").endsWith(" p99]");
    assertThat(feed.problem()).isEmpty();
  }

  @Test
  @DisplayName("additions and removals are reported as they happen, without no-op changes")
  void changes() throws IOException {
    feed.start();
    patiently().until(() -> api.openWatches() == 1);
    api.put(ApiPods.running("a"));
    api.put(ApiPods.running("a"));
    api.put(ApiPods.running("b"));
    api.delete("/api/v1/namespaces/shop/pods/a");
    patiently().until(() -> told.size() == 4);
    assertThat(told).containsExactly("listed []", "changed a", "changed b", "removed a");
  }

  @Test
  @DisplayName("a watch cut off mid-line continues without a new list")
  void cut() throws IOException {
    feed.start();
    patiently().until(() -> api.openWatches() == 1);
    api.put(ApiPods.running("a"));
    patiently().until(() -> told.contains("changed a"));
    api.cut();
    patiently().until(() -> api.watchRequests().size() == 2);
    api.put(ApiPods.running("b"));
    patiently().until(() -> told.contains("changed b"));

    assertThat(api.lists()).hasSize(1);
    assertThat(api.watchRequests().getLast().query()).containsEntry("resourceVersion", "101");
    assertThat(told).containsOnlyOnce("changed a");
  }

  @Test
  @DisplayName("a watch continues from the last bookmark")
  void bookmark() throws IOException {
    feed.start();
    patiently().until(() -> api.openWatches() == 1);
    api.bookmark();
    api.put(ApiPods.running("a"));
    api.bookmark();
    patiently().until(() -> told.contains("changed a"));
    api.cut();
    patiently().until(() -> api.watchRequests().size() == 2);
    assertThat(api.watchRequests().getLast().query()).containsEntry("resourceVersion", "121");
  }

  @Test
  @DisplayName("410 in the stream and 410 as the answer both lead to one new list")
  void expired() throws IOException {
    api.put(ApiPods.running("a"));
    feed.start();
    patiently().until(() -> api.openWatches() == 1);
    api.expireWatches();
    patiently().until(() -> api.openWatches() == 1);
    assertThat(api.lists()).hasSize(2);

    api.compact();
    api.delete("/api/v1/namespaces/shop/pods/a");
    api.compact();
    api.cut();
    patiently().until(() -> api.lists().size() == 3);
    patiently().until(() -> told.getLast().equals("listed []"));
    assertThat(told).contains("removed a");
  }

  @Test
  @DisplayName("500 and 403 are survived; the missing right is named")
  void refused() {
    api.faults().failNext(500, "etcd is unwell", "");
    api.faults().failNext(403, "pods is forbidden: User \"x\" cannot list resource \"pods\"", "");
    api.faults()
        .hangOn("limit="); // the third time, or the problem could be over before it is looked at
    feed.start();
    patiently().until(() -> feed.problem().orElse("").contains("forbidden"));
    assertThat(feed.problem().orElseThrow())
        .contains(
            "cannot list resource \"pods\"",
            "{apiGroups: [\"\"], resources: [pods], verbs: [list]}",
            "see Rights in docs/operate/security.md");
    api.faults().letGo();
    patiently().until(() -> feed.problem().isEmpty());
    assertThat(api.lists()).hasSize(3);
  }

  @Test
  @DisplayName("a server that is away is asked again, and what is known stays")
  void away() throws IOException {
    api.put(ApiPods.running("a"));
    feed.start();
    patiently().until(() -> api.openWatches() == 1);
    List<Request> before = api.requests();
    api.faults().failNext(503, "shutting down", "1");
    api.cut();
    patiently().until(() -> api.openWatches() == 1);
    assertThat(api.requests()).hasSizeGreaterThan(before.size());
    assertThat(told).containsExactly("changed a", "listed [a]");
  }

  @Test
  @DisplayName("429 with Retry-After: the server is left alone for as long as it wants")
  void tooMany() {
    api.faults().failNext(429, "too many requests", "3");
    long begun = System.nanoTime();
    feed.start();
    patiently().until(() -> feed.problem().isEmpty());
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(3));
    assertThat(api.lists()).hasSize(2);
  }

  @Test
  @DisplayName("a pod that cannot be read does not hide the others")
  void unreadable() throws IOException {
    String deep = "[".repeat(100) + "]".repeat(100);
    api.put("{metadata: {name: a, namespace: shop}, spec: {nodeName: here}, a: " + deep + "}");
    api.put(ApiPods.running("b"));
    feed.start();
    patiently().until(() -> api.openWatches() == 1);
    assertThat(told).containsExactly("changed a", "changed b", "listed [a, b]");
    assertThat(feed.problem()).isEmpty();
  }

  @Test
  @DisplayName("watches that end as soon as they begin are not begun again at once, for ever")
  void brief() throws IOException {
    api.endWatchesAtOnce();
    api.put(ApiPods.running("a"));
    long begun = System.nanoTime();
    feed.start();
    patiently().until(() -> api.watchRequests().size() >= 3);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(1400));
    assertThat(api.lists()).hasSize(1);
  }

  /** The machine may be busy with other things. */
  private static ConditionFactory patiently() {
    return await().timeout(Duration.ofSeconds(60));
  }
}
