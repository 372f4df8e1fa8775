package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel's pressure stall files. */
@Timeout(60)
class PressureFileTest {
  @TempDir private Path dir;

  private PressureFile of(String text) throws IOException {
    return PressureFile.read(Files.writeString(dir.resolve("cpu"), text));
  }

  @Test
  @DisplayName("reads averages and totals of both lines")
  void values() throws IOException {
    PressureFile file =
        of(
            """
            some avg10=0.64 avg60=2.44 avg300=4.61 total=24916121570
            full avg10=1.00 avg60=0.00 avg300=0.00 total=7
            """);
    assertThat(file.average("some", "avg10")).hasValue(0.64);
    assertThat(file.average("some", "avg300")).hasValue(4.61);
    assertThat(file.average("full", "avg10")).hasValue(1);
    assertThat(file.total("some")).hasValue(24916121570L);
    assertThat(file.total("full")).hasValue(7);
  }

  @ParameterizedTest
  @DisplayName("an unexpected format has no values")
  @ValueSource(
      strings = {
        "",
        "some",
        "full avg10=1 total=1",
        "some avg10=x total=y",
        "some total=1e3 avg10="
      })
  void malformed(String text) throws IOException {
    assertThat(of(text).average("some", "avg10")).isEmpty();
    assertThat(of(text).total("some")).isEmpty();
  }

  @Test
  @DisplayName("reads no more than the kernel writes")
  void large() throws IOException {
    assertThat(of("x".repeat(1024) + "\nsome avg10=1 total=1").total("some")).isEmpty();
  }

  @Test
  @DisplayName("fails without such a file, and does not wait for a pipe")
  void absent() throws Exception {
    assertThatThrownBy(() -> PressureFile.read(dir.resolve("io")))
        .isInstanceOf(NoSuchFileException.class);
    Path pipe = dir.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> PressureFile.read(pipe)).hasMessageContaining("not a regular file");
  }
}
