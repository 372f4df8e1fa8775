package io.probelet.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Threads;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.api.TerminationView;
import io.probelet.web.incident.Incident;
import io.probelet.web.incident.IncidentKind;
import io.probelet.web.incident.IncidentNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Incidents are kept within bounds, over the agent's restart, and no tenant displaces another. */
class IncidentStoreTest {
  private static final Instant NOW = Instant.parse("2026-11-27T10:00:00Z");

  @TempDir Path folder;

  private static Incident incident(String namespace, String pod, Instant at, List<String> log) {
    return new Incident(
        Rfc3339.text(at),
        IncidentKind.KILLED,
        namespace,
        pod,
        "uid",
        "web",
        "id-" + at.getEpochSecond(),
        "Deployment/web",
        "image",
        null,
        1,
        null,
        null,
        null,
        null,
        IncidentNode.UNKNOWN,
        "",
        false,
        log);
  }

  private static Incident incident(String namespace, String pod, int second) {
    return incident(namespace, pod, NOW.plusSeconds(second), List.of("line"));
  }

  private static Incident unready(Incident it) {
    return new Incident(
        it.time(),
        IncidentKind.UNREADY,
        it.namespace(),
        it.pod(),
        it.uid(),
        it.container(),
        it.containerId(),
        it.workload(),
        it.image(),
        null,
        it.restartCount(),
        null,
        null,
        null,
        null,
        it.node(),
        "",
        false,
        it.log());
  }

  private IncidentStore open() {
    return new IncidentStore(IncidentFile.in(folder, Threads.MACHINE), NOW);
  }

  @Test
  @DisplayName("a new agent knows what the one before has recorded, its update too")
  void survives() {
    TerminationView end = new TerminationView(137, "SIGKILL", "Error", "", null);
    try (IncidentStore store = open()) {
      store.add(incident("shop", "web-0", 1));
      store.add(incident("shop", "web-1", 2));
      assertThat(
              store.update(
                  "shop",
                  "web-0",
                  each -> each.containerId().equals("id-" + NOW.plusSeconds(1).getEpochSecond()),
                  each -> each.with(end)))
          .isTrue();
      assertThat(store.update("shop", "web-9", _ -> true, each -> each)).isFalse();
    }
    try (IncidentStore again = open()) {
      assertThat(again.of("", "")).hasSize(2);
      assertThat(again.of("shop", "web-0"))
          .singleElement()
          .satisfies(each -> assertThat(each.end()).isEqualTo(end));
      assertThat(again.of("other", "web-0")).isEmpty();
    }
  }

  @Test
  @DisplayName("a line that a crash has cut is ignored, and so is a file that is none")
  void damaged() throws IOException {
    try (IncidentStore store = open()) {
      store.add(incident("shop", "web-0", 1));
    }
    Path file = folder.resolve("incidents.jsonl");
    Files.writeString(file, "{\"time\":\"2026-11-27T10:0", StandardOpenOption.APPEND);
    try (IncidentStore again = open()) {
      assertThat(again.size()).isEqualTo(1);
      again.add(incident("shop", "web-0", 2));
    }
    Files.delete(file);
    Files.createDirectory(file);
    try (IncidentStore again = open()) {
      assertThat(again.size()).isZero();
      again.add(incident("shop", "web-0", 3));
      assertThat(again.size()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("an incident after a torn line is kept, too")
  void afterTornLine() throws IOException {
    Files.writeString(folder.resolve("incidents.jsonl"), "{\"time\":\"2026-11-27T10:0");
    try (IncidentStore store = open()) {
      store.add(incident("shop", "web-0", 2));
    }
    try (IncidentStore again = open()) {
      assertThat(again.size()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("a container keeps its newest 20")
  void ofContainer() {
    try (IncidentStore store = open()) {
      for (int i = 0; i < IncidentStore.MAX_OF_CONTAINER + 5; i++) {
        store.add(incident("shop", "web-0", i));
      }
      List<Incident> kept = store.of("shop", "web-0");
      assertThat(kept).hasSize(IncidentStore.MAX_OF_CONTAINER);
      assertThat(kept.getFirst().time()).isEqualTo(Rfc3339.text(NOW.plusSeconds(5)));
    }
  }

  @Test
  @DisplayName("a probe that flaps does not displace the record of a crash")
  void flapping() {
    try (IncidentStore store = open()) {
      store.add(incident("shop", "web-0", 0));
      for (int i = 1; i <= 50; i++) {
        store.add(unready(incident("shop", "web-0", i)));
      }
      List<Incident> kept = store.of("shop", "web-0");
      assertThat(kept).hasSize(IncidentStore.MAX_OF_CONTAINER);
      assertThat(kept.getFirst().kind()).isEqualTo(IncidentKind.KILLED);
    }
  }

  @Test
  @DisplayName("what is older than seven days is forgotten")
  void age() {
    try (IncidentStore store = open()) {
      store.add(incident("shop", "web-0", 0));
      store.add(
          incident("other", "web-1", NOW.plus(IncidentStore.MAX_AGE).plusSeconds(1), List.of()));
      assertThat(store.of("", "")).extracting(Incident::pod).containsExactly("web-1");
    }
  }

  @Test
  @DisplayName("a noisy namespace loses its own, and the file stays small")
  void noisy() throws IOException {
    List<String> log = Collections.nCopies(40, "x".repeat(250));
    try (IncidentStore store = open()) {
      store.add(incident("quiet", "web-0", 0));
      for (int i = 1; i <= 500; i++) {
        store.add(incident("noisy", "pod-" + i, NOW.plusSeconds(i), log));
      }
      assertThat(store.of("quiet", "")).hasSize(1);
      assertThat(store.dropped()).isPositive();
      assertThat(
              store.of("noisy", "").stream()
                  .mapToLong(each -> String.join("", each.log()).length())
                  .sum())
          .isLessThanOrEqualTo(IncidentStore.MAX_SIZE);
    }
    assertThat(Files.size(folder.resolve("incidents.jsonl")))
        .isLessThanOrEqualTo(IncidentFile.MAX_BYTES + IncidentStore.MAX_INCIDENT);
  }

  @Test
  @DisplayName("an incident that is too large loses its texts, not its facts")
  void tooLarge() {
    List<String> log = Collections.nCopies(100, "x".repeat(256));
    try (IncidentStore store = open()) {
      store.add(incident("shop", "web-0", NOW, log));
      assertThat(store.of("shop", ""))
          .singleElement()
          .satisfies(each -> {
            assertThat(each.log()).isEmpty();
            assertThat(each.kind()).isEqualTo(IncidentKind.KILLED);
          });
    }
  }

  @Test
  @DisplayName("times that go back do not lose anything before its time")
  void clockStepsBack() {
    try (IncidentStore store = open()) {
      store.add(incident("shop", "web-0", NOW, List.of()));
      store.add(incident("shop", "web-1", NOW.minus(Duration.ofDays(1)), List.of()));
      assertThat(store.of("", "")).hasSize(2);
    }
  }
}
