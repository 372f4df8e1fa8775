package io.probelet.kube.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.ManualClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.event.EventWriter.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several runs of an agent that write about the same causes. */
class EventWriterTest {
  private static final InvolvedObject POD = pod("p", "u");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.client();
  private final EventWriter writer =
      new EventWriter(
          ApiServer.of(client, Duration.ofSeconds(60)), EventSource.agent("node"), () -> true);
  private EventQueue queue = new EventQueue(clock.nanoTime());

  EventWriterTest() throws IOException {}

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static InvolvedObject pod(String name, String uid) {
    return InvolvedObject.pod("shop", name, uid, "spec.containers{web}");
  }

  private static ApiEvent event(String about, InvolvedObject pod) {
    return new ApiEvent(
        pod, "probelet", "Warning", "Unhealthy", about, about + " probe failed: refused", false);
  }

  private void happens(String about) {
    queue.add(event(about, POD), clock.wallTime(), clock.nanoTime());
  }

  private void restartAgent() {
    queue = new EventQueue(clock.nanoTime());
    clock.advance(Duration.ofSeconds(2));
  }

  /** Writes what is due, as often as its answers ask for it. */
  private void write() {
    for (Optional<PendingEvent> next = queue.next(clock.nanoTime());
        next.isPresent();
        next = queue.next(clock.nanoTime())) {
      answered(next.get(), writer.write(next.get()));
    }
  }

  private void answered(PendingEvent writing, Outcome answer) {
    switch (answer) {
      case Outcome.Written(int before) -> {
        queue.continues(writing, before);
        queue.written(writing, clock.nanoTime());
      }
      case Outcome.Gone _ -> queue.lost(writing);
      case Outcome.NameTaken _ -> assertThat(queue.taken(writing)).isTrue();
      case Outcome.Failed(var why) -> throw new AssertionError(why.summary());
    }
  }

  private ObjectNode only() {
    assertThat(server.events()).hasSize(1);
    return server.events().getFirst();
  }

  @Test
  @DisplayName("D-6: the same cause continues the same event after restarts of the agent")
  void restarts() {
    for (int life = 1; life <= 13; life++) {
      happens("Liveness");
      write();
      happens("Liveness");
      clock.advance(Duration.ofMinutes(1));
      write();
      assertThat(only().path("count").asInt()).isEqualTo(2 * life);
      restartAgent();
    }
    assertThat(only().path("firstTimestamp").asText()).isEqualTo("2026-11-21T10:00:00Z");
    assertThat(only().path("lastTimestamp").asText()).isEqualTo("2026-11-21T10:12:24Z");
  }

  @Test
  @DisplayName("another cause, and another pod of the same name, is another event")
  void others() {
    happens("Liveness");
    happens("Readiness");
    queue.add(event("Liveness", pod("p", "successor")), clock.wallTime(), clock.nanoTime());
    write();
    assertThat(server.events())
        .hasSize(3)
        .allMatch(each -> each.path("count").asInt() == 1)
        .extracting(each -> each.at("/metadata/name").asText())
        .allMatch(name -> name.matches("p\\.[0-9a-f]{16}"));
  }

  @Test
  @DisplayName("an attempt whose response was lost is not counted twice")
  void lostAnswer() {
    happens("Liveness");
    var _ = writer.write(queue.next(clock.nanoTime()).orElseThrow());
    write();
    assertThat(only().path("count").asInt()).isEqualTo(1);

    restartAgent();
    happens("Liveness");
    happens("Liveness");
    var _ = writer.write(queue.next(clock.nanoTime()).orElseThrow());
    write();
    assertThat(only().path("count").asInt()).isEqualTo(3);
    happens("Liveness");
    clock.advance(Duration.ofMinutes(1));
    write();
    assertThat(only().path("count").asInt()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/involvedObject/uid", "/reason", "/reportingInstance"})
  @DisplayName("another's event with that name is not changed")
  void strangers(String what) {
    happens("Liveness");
    write();
    ObjectNode forged = only();
    JsonNode parent = forged.at(what.substring(0, what.lastIndexOf('/')));
    ((ObjectNode) parent).put(what.substring(what.lastIndexOf('/') + 1), "another");
    server.put(forged);
    restartAgent();
    happens("Liveness");
    write();
    assertThat(server.events()).hasSize(2).contains(forged);
  }

  @Test
  @DisplayName("an event that the policy forbids to change does not block others")
  void forbidden() {
    happens("Liveness");
    write();
    restartAgent();
    happens("Liveness");
    PendingEvent next = queue.next(clock.nanoTime()).orElseThrow();
    server.faults().failNextWrite(409, "already exists", "");
    server.faults().failNextWrite(403, "an agent may change only its own events", "");
    answered(next, writer.write(next));
    write();
    assertThat(server.events()).hasSize(2);
  }

  @Test
  @DisplayName("a forged count does not overflow")
  void hostileCount() {
    happens("Liveness");
    write();
    server.put(only().put("count", Integer.MAX_VALUE));
    restartAgent();
    happens("Liveness");
    write();
    assertThat(only().path("count").asInt()).isEqualTo(Integer.MAX_VALUE);
    server.put(only().put("count", Integer.MIN_VALUE));
    restartAgent();
    happens("Liveness");
    write();
    assertThat(only().path("count").asInt()).isEqualTo(1);
  }

  @Test
  @DisplayName("the longest pod name leaves room for the event name")
  void longName() {
    InvolvedObject pod = pod("a-".repeat(126) + "a", "u");
    String name = EventName.of(event("Liveness", pod));
    assertThat(name).hasSizeLessThanOrEqualTo(EventName.MAX_LENGTH).matches(".*a\\.[0-9a-f]{16}");
  }
}
