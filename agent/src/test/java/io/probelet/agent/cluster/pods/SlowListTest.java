package io.probelet.agent.cluster.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.agent.cluster.ApiPods;
import io.probelet.kube.FakeApiServer;
import io.probelet.probe.PodRef;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Lists that take their time, with less patience than usual. */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class SlowListTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** A busy machine sends the pieces of a slow list in time. */
  private static final Duration LONGER_TIMEOUT = Duration.ofSeconds(8);

  private FakeApiServer api;
  private FeedFixture fixture;
  private PodFeed feed;

  private final Set<String> known = ConcurrentHashMap.newKeySet();

  private volatile int complete;

  private void open(Duration patience) throws IOException {
    PodListener listener =
        new PodListener() {
          @Override
          public void listed(Set<PodRef> there) {
            complete = there.size();
          }

          @Override
          public void changed(ClusterPod pod) {
            known.add(pod.ref().name());
          }

          @Override
          public void removed(ClusterPod pod) {
            known.remove(pod.ref().name());
          }
        };
    fixture = new FeedFixture(patience, listener);
    api = fixture.api;
    feed = fixture.feed;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static ConditionFactory patiently() {
    return await().timeout(Duration.ofSeconds(60));
  }

  @Test
  @DisplayName("a slow list is completed page by page")
  void slow() throws IOException {
    open(LONGER_TIMEOUT);
    for (int i = 0; i < 60; i++) {
      api.put(ApiPods.running("p" + i));
    }
    api.sendListsOver(LONGER_TIMEOUT.plusSeconds(1));
    api.faults().hangOn("continue=");
    feed.start();
    patiently().until(() -> known.size() >= 50);
    assertThat(known).as("the first page, before the second has come").hasSize(50);
    api.faults().letGo();
    patiently().until(() -> complete == 60 && feed.problem().isEmpty());
    assertThat(known).hasSize(60);
    assertThat(api.lists()).as("none was asked for twice").hasSize(2);
  }

  @Test
  @DisplayName("a stalled list is cancelled, reported and retried")
  void stalls() throws IOException {
    open(TIMEOUT);
    for (int i = 0; i < 60; i++) {
      api.put(ApiPods.running("p" + i));
    }
    api.faults().hangOn("continue=");
    feed.start();
    patiently().until(() -> feed.problem().orElse("").contains("timed out after 3"));
    api.faults().letGo();
    patiently().until(() -> complete == 60 && feed.problem().isEmpty());
    assertThat(api.lists()).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  @DisplayName("so is one that stalls in the middle of a page")
  void stallsWithin() throws IOException {
    open(TIMEOUT);
    api.put(ApiPods.running("p"));
    api.sendListsOver(Duration.ofMinutes(10));
    feed.start();
    patiently().until(() -> feed.problem().orElse("").contains("idle for 3 s"));
    api.sendListsOver(Duration.ZERO);
    patiently().until(() -> complete == 1 && feed.problem().isEmpty());
  }
}
