package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.field.Problem;
import io.probelet.manifest.pod.Mode;
import io.probelet.monitor.rule.Monitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MonitorsTest {
  @TempDir Path dir;

  @Test
  @DisplayName("A-1 monitor files are read from files and folders, JSON or YAML")
  void reads() throws Exception {
    Files.writeString(dir.resolve("a.json"), "{\"plugin\": \"kmsg\", \"source\": \"json\"}");
    Files.writeString(dir.resolve("b.yaml"), "plugin: kmsg\nsource: yaml\n");
    Monitors read = Monitors.read(List.of(dir));
    assertThat(read.problems()).isEmpty();
    assertThat(read.monitors()).extracting(Monitor::source).containsExactly("json", "yaml");
  }

  @Test
  @DisplayName("B-12 what is wrong is told with file, line and field, by validate too")
  void problems() throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("bad.yaml"),
            """
            Plugin: kmsg
            source: s
            rules:
            - type: temporary
              reason: R
              pattern: 'a('
              colour: red
            """);
    Monitors read = Monitors.read(List.of(file));
    assertThat(read.hasErrors()).isTrue();
    assertThat(read.monitors()).isEmpty();
    assertThat(read.problems()).hasSize(2);
    assertThat(read.problems().getFirst().toString())
        .startsWith(
            file
                + ":6:12: error: document 1: rules[0].pattern: Invalid value: \"a(\": is not a valid RE2");
    assertThat(read.problems().getLast().toString())
        .isEqualTo(file + ":7:3: warning: document 1: rules[0].colour: unknown field, ignored");
    assertThat(ManifestReader.read(List.of(file), Mode.STANDALONE_PROCESS).problems())
        .hasSameSizeAs(read.problems());
  }

  @Test
  @DisplayName("B-12 what is wrong with a check is told with file, line and field")
  void checks() throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("checks.yaml"),
            """
            plugin: check
            rules:
            - check: disk-space
              maxUsedPercent: 120
            - {check: zombies, mist: 3}
            """);
    assertThat(Monitors.read(List.of(file)).problems())
        .extracting(Problem::toString)
        .containsExactly(
            file
                + ":4:19: error: document 1: rules[0].maxUsedPercent: Invalid value: 120: must be 1 to 100",
            file
                + ":5:20: error: document 1: rules[1].mist: unknown field of the check zombies;"
                + " did you mean \"most\"?");
  }

  @Test
  @DisplayName("B-12 an empty file, and one that is not there, are refused")
  void nothing() throws Exception {
    Path empty = Files.writeString(dir.resolve("empty.json"), "");
    assertThat(Monitors.read(List.of(empty)).hasErrors()).isTrue();
    assertThat(Monitors.read(List.of(dir.resolve("none.json"))).hasErrors()).isTrue();
  }
}
