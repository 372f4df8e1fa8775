package io.probelet.monitor.publish;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.TimeSource;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.MaintenanceNote;
import io.probelet.monitor.MonitoredNodes;
import io.probelet.monitor.rule.ConditionSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodePublisherTest {
  private static final Instant SINCE = Instant.parse("2026-11-21T12:00:00.123Z");
  private static final String STATUS = "/api/v1/nodes/n1/status";

  private final VirtualTime time = new VirtualTime();
  private MonitoredNodes nodes;

  @BeforeEach
  void open() throws Exception {
    nodes = new MonitoredNodes();
    nodes.node("n1");
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private static Condition condition(String type, ConditionStatus status) {
    return new Condition(type, status, SINCE, SINCE, "Reason", "message %d {}", List.of());
  }

  private static List<ConditionSpec> specs(String... types) {
    return Stream.of(types).map(type -> ConditionSpec.of(type, "Well", "all is well")).toList();
  }

  private void claim(String boot, String... types) throws Exception {
    nodes.edit(
        "n1",
        "{\"metadata\":{\"annotations\":{\"probelet.io/node-conditions\":"
            + "\"{\\\"boot\\\":\\\"%s\\\",\\\"types\\\":[\\\"%s\\\"]}\"}}}"
                .formatted(boot, String.join("\\\",\\\"", types)));
    for (String type : types) {
      nodes.edit(
          "n1",
          """
          {"status":{"conditions":[{"type":"%s","status":"True","reason":"NoCarrier",
           "message":"eth0","lastTransitionTime":"2026-11-21T11:00:00Z"}]}}
          """
              .formatted(type));
    }
  }

  private NodePublisher publisher(String bootId) {
    return publisher(bootId, time.clock());
  }

  private NodePublisher publisher(String bootId, TimeSource clock) {
    return new NodePublisher(
        nodes.api(),
        "n1",
        bootId,
        PublishSchedule.HEARTBEAT,
        clock,
        new Random(1),
        time.loop("publisher"));
  }

  /** Advances the time until the condition holds. */
  private void eventually(BooleanSupplier is) {
    for (int step = 0; step < 1200 && !is.getAsBoolean(); step++) {
      time.advance(Duration.ofMillis(100));
    }
    assertThat(is.getAsBoolean()).isTrue();
  }

  private String claim() {
    return nodes.annotation("n1", Ownership.ANNOTATION);
  }

  @Test
  @DisplayName("MW-11 the maintenance that the Node names is known from the next write on")
  void maintenance() throws Exception {
    AtomicInteger changes = new AtomicInteger();
    try (NodePublisher publisher = publisher("boot-1")) {
      publisher.whenMaintenanceChanged(changes::incrementAndGet);
      publisher.watching(specs("LinkDown"));
      publisher.conditionChanged(condition("LinkDown", TRUE));
      publisher.start();
      eventually(() -> publisher.patches() == 1);
      assertThat(publisher.maintenance()).isEmpty();
      assertThat(changes).hasValue(0);

      nodes.edit(
          "n1",
          "{\"metadata\":{\"annotations\":{\"%s\":\"2026-12-02T02:30:00Z rack-7\"}}}"
              .formatted(MaintenanceNote.ANNOTATION));
      time.advance(PublishSchedule.HEARTBEAT);
      eventually(() -> publisher.patches() == 2);
      assertThat(publisher.maintenance())
          .contains(new MaintenanceNote(Instant.parse("2026-12-02T02:30:00Z"), "rack-7"));
      assertThat(changes).hasValue(1);
      assertThat(nodes.annotation("n1", MaintenanceNote.ANNOTATION)).endsWith("rack-7");
    }
  }

  @Test
  @DisplayName(
      "B-6, B-8 conditions and ownership are written in one patch; the kubelet's are never "
          + "touched")
  void claimedAndWritten() {
    try (NodePublisher publisher = publisher("boot-1")) {
      publisher.watching(specs("LinkDown", "Ready"));
      publisher.conditionChanged(condition("LinkDown", TRUE));
      publisher.conditionChanged(condition("Ready", FALSE));
      publisher.start();
      eventually(() -> nodes.condition("n1", "LinkDown").has("status"));
      assertThat(nodes.server().writesDone(""))
          .extracting(FakeApiServer.Request::path)
          .containsExactly(STATUS);
      assertThat(claim()).isEqualTo("{\"boot\":\"boot-1\",\"types\":[\"LinkDown\"]}");
      JsonNode written = nodes.condition("n1", "LinkDown");
      assertThat(written.path("status").asText()).isEqualTo("True");
      assertThat(written.path("message").asText()).isEqualTo("message %d {}");
      assertThat(written.path("lastTransitionTime").asText()).isEqualTo("2026-11-21T12:00:00Z");
      assertThat(nodes.condition("n1", "Ready").path("status").asText()).isEqualTo("True");
      eventually(() -> publisher.patches() == 1);
    }
  }

  @Test
  @DisplayName("B-8 changes within a second are one patch")
  void coalesced() throws Exception {
    claim("boot-1", "A", "B");
    try (NodePublisher publisher = publisher("boot-1")) {
      publisher.watching(specs("A", "B"));
      publisher.conditionChanged(condition("A", TRUE));
      publisher.conditionChanged(condition("A", FALSE));
      publisher.conditionChanged(condition("B", TRUE));
      publisher.start(); // now, as a busy machine takes longer than a second for these lines
      eventually(() -> nodes.server().writesDone("").size() == 1);
      JsonNode conditions =
          nodes.server().writesDone("").getFirst().json().at("/status/conditions");
      assertThat(conditions.findValuesAsText("type")).containsExactly("A", "B");
      assertThat(conditions.findValuesAsText("status")).containsExactly("False", "True");
      publisher.conditionChanged(condition("B", FALSE));
      eventually(() -> nodes.server().writesDone("").size() == 2);
      assertThat(nodes.condition("n1", "B").path("status").asText()).isEqualTo("False");
    }
  }

  @Test
  @DisplayName("B-8 a change during a write is written a second after it, once")
  void duringAWrite() {
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    TimeSource asked = // the wall time is asked while a patch is made
        new TimeSource() {
          @Override
          public long nanoTime() {
            return time.clock().nanoTime();
          }

          @Override
          public Instant wallTime() {
            meanwhile.getAndSet(() -> {}).run();
            return time.clock().wallTime();
          }
        };
    try (NodePublisher publisher = publisher("boot-1", asked)) {
      publisher.watching(specs("A"));
      publisher.conditionChanged(condition("A", TRUE));
      meanwhile.set(() -> publisher.conditionChanged(condition("A", FALSE)));
      publisher.start();
      eventually(() -> publisher.patches() == 1);
      assertThat(nodes.condition("n1", "A").path("status").asText()).isEqualTo("True");
      time.advance(Duration.ofSeconds(1));
      assertThat(nodes.condition("n1", "A").path("status").asText()).isEqualTo("False");
      time.advance(Duration.ofMinutes(1));
      assertThat(publisher.patches()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("B-4, B-6 conditions without a monitor are removed; unchecked ones stay")
  void removed() throws Exception {
    claim("boot-1", "Old", "NotYet");
    try (NodePublisher publisher = publisher("boot-1")) {
      publisher.watching(specs("A", "NotYet"));
      publisher.conditionChanged(condition("A", FALSE));
      publisher.start();
      eventually(() -> publisher.patches() == 1);
      assertThat(nodes.condition("n1", "Old").isMissingNode()).isTrue();
      assertThat(nodes.condition("n1", "NotYet").path("status").asText()).isEqualTo("True");
      assertThat(claim()).isEqualTo("{\"boot\":\"boot-1\",\"types\":[\"A\",\"NotYet\"]}");
      publisher.watching(specs("A"));
      eventually(() -> nodes.condition("n1", "NotYet").isMissingNode());
      publisher.watching(specs());
      eventually(() -> nodes.condition("n1", "A").isMissingNode() && claim().isEmpty());
    }
  }

  @Test
  @DisplayName("B-4 conditions of an earlier boot are removed, even if monitored")
  void earlierBoot() throws Exception {
    claim("boot-0", "LinkDown");
    try (NodePublisher publisher = publisher("boot-1")) {
      assertThat(publisher.adoptable()).contains(List.of());
      publisher.watching(specs("LinkDown"));
      publisher.start();
      eventually(() -> nodes.condition("n1", "LinkDown").isMissingNode());
    }
  }

  @Test
  @DisplayName("NM-8, B-4 conditions published in this boot are adopted, with their times")
  void adoption() throws Exception {
    claim("boot-1", "LinkDown");
    Instant then = Instant.parse("2026-11-21T11:00:00Z");
    try (NodePublisher publisher = publisher("boot-1")) {
      assertThat(publisher.adoptable())
          .contains(
              List.of(new Condition("LinkDown", TRUE, then, then, "NoCarrier", "eth0", List.of())));
      nodes.server().faults().away(true);
      assertThat(publisher.adoptable()).isEmpty();
    }
  }

  @Test
  @DisplayName("B-6 a recreated Node gets the ownership annotation again")
  void madeAnew() {
    try (NodePublisher publisher = publisher("boot-1")) {
      publisher.watching(specs("A"));
      publisher.conditionChanged(condition("A", TRUE));
      publisher.start();
      eventually(() -> nodes.condition("n1", "A").has("status"));
      nodes.node("n1");
      publisher.conditionChanged(condition("A", FALSE));
      eventually(() -> !claim().isEmpty());
      eventually(() -> nodes.condition("n1", "A").path("status").asText().equals("False"));
    }
  }

  @Test
  @DisplayName(
      "NM-10 while the API server is unreachable changes wait; the last state arrives, " + "once")
  void away() {
    try (NodePublisher publisher = publisher("boot-1")) {
      publisher.watching(specs("A"));
      publisher.conditionChanged(condition("A", TRUE));
      nodes.server().faults().away(true);
      publisher.start();
      eventually(() -> !publisher.problem().isEmpty());
      publisher.conditionChanged(condition("A", FALSE));
      publisher.conditionChanged(condition("A", TRUE));
      publisher.conditionChanged(condition("A", FALSE));
      long failures = publisher.failures(); // once more, or one that is on its way says A is true
      eventually(() -> publisher.failures() > failures);
      nodes.server().faults().away(false);
      eventually(() -> nodes.condition("n1", "A").has("status"));
      assertThat(nodes.condition("n1", "A").path("status").asText()).isEqualTo("False");
      assertThat(nodes.server().writesDone("/status")).hasSize(1);
      eventually(() -> publisher.problem().isEmpty());
      assertThat(publisher.failures()).isPositive();
    }
  }

  @Test
  @DisplayName("B-6 uninstall removes only our conditions and the annotation")
  void uninstall() throws Exception {
    claim("boot-1", "LinkDown");
    assertThat(new AbsentAgent(nodes.api(), "n1").remove()).isInstanceOf(Done.class);
    assertThat(nodes.condition("n1", "LinkDown").isMissingNode()).isTrue();
    assertThat(nodes.condition("n1", "Ready").path("status").asText()).isEqualTo("True");
    assertThat(claim()).isEmpty();
    int writes = nodes.server().writesDone("").size();
    assertThat(new AbsentAgent(nodes.api(), "n1").remove()).isInstanceOf(Done.class);
    assertThat(nodes.server().writesDone("")).hasSize(writes);
  }

  @Test
  @DisplayName("B-6 a forged annotation does not affect the kubelet's conditions")
  void forged() throws Exception {
    claim("boot-1", "Ready", "LinkDown");
    new AbsentAgent(nodes.api(), "n1").gone("gone", SINCE);
    new AbsentAgent(nodes.api(), "n1").remove();
    assertThat(nodes.condition("n1", "Ready").path("status").asText()).isEqualTo("True");
    assertThat(nodes.condition("n1", "LinkDown").isMissingNode()).isTrue();
  }
}
