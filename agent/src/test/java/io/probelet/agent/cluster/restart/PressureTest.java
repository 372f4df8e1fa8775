package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kernel's pressure files say. */
class PressureTest {
  @TempDir Path folder;

  @ParameterizedTest(name = "{0} some={1} full={2}: \"{3}\"")
  @CsvSource({
    "memory, 90.00, 29.99, ''",
    "memory, 90.00, 30.00, the node is starved: memory pressure full 30 %",
    "io, 99.00, 79.00, ''",
    "io, 99.00, 80.50, the node is starved: io pressure full 81 %",
    "cpu, 94.00, 0.00, ''",
    "cpu, 95.00, 0.00, the node is starved: cpu pressure some 95 %",
  })
  @DisplayName(
      "a node is starved when nothing moves for memory or disk, or nearly all wait for CPU")
  void starved(String resource, String some, String full, String said) throws IOException {
    Files.writeString(
        folder.resolve(resource),
        "some avg10=%s avg60=0.00 avg300=0.00 total=1\nfull avg10=%s avg60=0.00 avg300=0.00 total=1\n"
            .formatted(some, full));
    assertThat(new Pressure(folder).starved().orElse("")).isEqualTo(said);
  }
}
