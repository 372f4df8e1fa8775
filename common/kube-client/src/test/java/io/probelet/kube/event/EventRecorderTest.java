package io.probelet.kube.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events that the API server does not accept immediately. */
class EventRecorderTest {
  private static final EventSource LEADER = EventSource.leader("probelet", "c-1");

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.client();
  private final AtomicBoolean leading = new AtomicBoolean(true);
  private final VirtualTime time = new VirtualTime();
  private final EventRecorder recorder = recorder(LEADER);

  EventRecorderTest() throws IOException {}

  private EventRecorder recorder(EventSource source) {
    return new EventRecorder(
        ApiServer.of(client, Duration.ofSeconds(30)),
        source,
        time.clock(),
        new Random(1),
        leading::get,
        time.loop("events"));
  }

  @AfterEach
  void stop() {
    recorder.close();
    client.close();
    server.close();
  }

  private static ApiEvent event(InvolvedObject object) {
    return new ApiEvent(object, "probelet", ApiEvent.WARNING, "Happened", "", "it did", false);
  }

  private static InvolvedObject check(String name) {
    return InvolvedObject.clusterScoped("remediation.medik8s.io/v1alpha1", "Check", name, "u");
  }

  @ParameterizedTest
  @CsvSource({"500, ''", "503, 1", "429, 1", "401, ''", "403, ''"})
  @DisplayName("an event that failed is written later, once")
  void fault(int code, String retryAfter) {
    server.faults().failNextWrite(code, "not now", retryAfter);
    recorder.record(event(check("c")));
    recorder.start();
    time.runDue();
    assertThat(recorder.written()).isZero();
    time.advance(Duration.ofSeconds(2)); // a 403 may be of one namespace: it is tried later
    assertThat(recorder.written()).isEqualTo(1);
    assertThat(server.events())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.path("count").asInt()).isEqualTo(1);
          assertThat(each.at("/involvedObject/apiVersion").asText())
              .isEqualTo("remediation.medik8s.io/v1alpha1");
          assertThat(each.at("/source/host").isMissingNode()).isTrue();
        });
    assertThat(recorder.waiting()).isZero();
    assertThat(recorder.dropped(DropReason.REFUSED)).isZero();
  }

  @Test
  @DisplayName("an update that conflicted with another writer's is made again")
  void conflict() {
    recorder.record(event(check("c")));
    recorder.start();
    time.runDue();
    recorder.record(event(check("c")));
    server.faults().failNextWrite(409, "the object has been modified", "");
    time.advance(Duration.ofMinutes(2));
    assertThat(recorder.dropped(DropReason.REFUSED)).isZero();
    assertThat(server.events()).singleElement().matches(each -> each.path("count").asInt() == 2);
  }

  @Test
  @DisplayName("a namespace that rejects events does not delay others")
  void refusedNamespace() {
    server
        .faults()
        .refuse("/namespaces/full/events", 403, "exceeded quota: events, used: count/events=1");
    for (int pod = 0; pod < 10; pod++) {
      recorder.record(event(InvolvedObject.pod("full", "p" + pod, "u" + pod, "")));
    }
    recorder.record(event(InvolvedObject.pod("shop", "p", "u", "")));
    recorder.start();
    time.runDue();
    assertThat(recorder.written()).isEqualTo(1);
    assertThat(server.writes("/namespaces/full/")).hasSizeLessThan(5);
    server.faults().refuse(null, 0, "");
    time.advance(Duration.ofMinutes(1));
    assertThat(recorder.written()).isEqualTo(11);
  }

  @Test
  @DisplayName(
      "a leader continues its predecessor's event, and writes nothing after losing " + "leadership")
  void terms() {
    recorder.record(event(check("c")));
    recorder.start();
    time.runDue();
    assertThat(recorder.written()).isEqualTo(1);
    recorder.close();

    time.advance(Duration.ofDays(1));
    EventRecorder next = recorder(EventSource.leader("probelet", "c-2"));
    next.record(event(check("c")));
    next.start();
    time.runDue();
    assertThat(next.written()).isEqualTo(1);
    assertThat(server.events()).singleElement().matches(each -> each.path("count").asInt() == 2);

    leading.set(false);
    next.record(event(check("other")));
    next.close();
    assertThat(server.events()).hasSize(1);
  }
}
