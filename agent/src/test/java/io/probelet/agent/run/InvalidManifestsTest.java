package io.probelet.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.tree.Position;
import io.probelet.health.ManualClock;
import io.probelet.manifest.InvalidFile;
import io.probelet.manifest.InvalidFile.Use;
import io.probelet.web.api.ManifestsView;
import io.probelet.web.api.NodeView.EventView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Invalid manifests are named everywhere until they are fixed, bounded in number and length. */
class InvalidManifestsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-26T12:00:00Z"));
  private final InvalidManifests manifests = new InvalidManifests(registry, clock);

  @Test
  void namesFileLineFieldAndWhatRunsUntilItIsFixed() {
    manifests.update(List.of(file("p/a.yaml", Use.LAST_VALID)), 2);
    clock.advance(Duration.ofMinutes(1));
    manifests.update(List.of(file("p/a.yaml", Use.LAST_VALID)), 2);

    assertThat(manifests.view().invalid())
        .singleElement()
        .satisfies(file -> {
          assertThat(file.text()).isEqualTo("p/a.yaml:4:9: spec.x: is odd");
          assertThat(file.consequence()).isEqualTo("the last valid version keeps running");
          assertThat(file.since()).isEqualTo("2026-11-26T12:00:00Z");
        });
    assertThat(manifests.problem()).isEmpty();
    assertThat(manifests.note())
        .isEqualTo(
            "1 invalid: p/a.yaml:4:9: spec.x: is odd (the last valid version keeps running)");
    assertThat(registry.get("probelet.manifest.invalid").tag("file", "p/a.yaml").gauge().value())
        .isEqualTo(1);
    assertThat(registry.get("probelet.manifest.invalid.files").gauge().value()).isEqualTo(1);

    manifests.update(List.of(), 2);

    assertThat(manifests.view()).isEqualTo(ManifestsView.VALID);
    assertThat(manifests.note()).isEmpty();
    assertThat(registry.find("probelet.manifest.invalid").gauge()).isNull();
    assertThat(manifests.events())
        .extracting(EventView::reason, EventView::message)
        .containsExactly(
            tuple(
                "InvalidManifest",
                "p/a.yaml:4:9: spec.x: is odd; the last valid version keeps running"),
            tuple("ManifestFixed", "p/a.yaml was fixed or removed"));
  }

  @Test
  void isNotReadyWhileNoManifestIsValid() {
    manifests.update(List.of(file("p/a.yaml", Use.NOTHING)), 0);
    assertThat(manifests.problem())
        .contains("no valid manifest: p/a.yaml:4:9: spec.x: is odd (none of its pods run)");
    manifests.update(List.of(file("p/a.yaml", Use.NOTHING)), 1);
    assertThat(manifests.problem()).isEmpty();
    manifests.update(List.of(), 0);
    assertThat(manifests.problem()).as("an empty folder").isEmpty();
  }

  @Test
  void isNotReadyWhileAFolderCannotBeRead() {
    manifests.update(List.of(file("p", Use.LAST_LISTED)), 2);
    assertThat(manifests.problem())
        .contains(
            "a folder cannot be read: p:4:9: spec.x: is odd (the last valid version keeps running)");
    assertThat(manifests.view().invalid().getFirst().use()).isEqualTo("LastValid");
    manifests.update(List.of(), 2);
    assertThat(manifests.problem()).isEmpty();
  }

  @Test
  void boundsNumberAndLengthAndKeepsToOneLine() {
    List<InvalidFile> many =
        IntStream.range(0, 1_000)
            .mapToObj(i -> file("%04d\n\u001b[31m".formatted(i) + "x".repeat(5_000), Use.NOTHING))
            .toList();
    manifests.update(many, 0);
    assertThat(manifests.view().invalid()).hasSize(20);
    assertThat(manifests.view().total()).isEqualTo(1_000);
    assertThat(manifests.view().invalid())
        .allSatisfy(file ->
            assertThat(file.file()).hasSizeLessThanOrEqualTo(300).doesNotContain("\n", "\u001b"));
    assertThat(registry.find("probelet.manifest.invalid").gauges()).hasSize(20);
    assertThat(manifests.note()).endsWith("; and 997 more").hasSizeLessThan(2_000);
    for (int i = 0; i < 20; i++) {
      manifests.update(List.of(), 0);
      manifests.update(many, 0);
    }
    assertThat(manifests.events()).hasSize(100);
  }

  private static InvalidFile file(String path, Use use) {
    Problem error = new Problem(path, 1, new Position(4, 9), Severity.ERROR, "spec.x", "is odd");
    return new InvalidFile(path, error, 1, use);
  }
}
