package io.probelet.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogRotationTest {
  @ParameterizedTest
  @CsvSource({"0, 2", "-1, 2", "1, 1", "1, 0"})
  @DisplayName("a file needs room for a byte, and another to go on in")
  void tooLittle(long maxBytes, int maxFiles) {
    assertThatThrownBy(() -> new LogRotation(maxBytes, maxFiles))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "log rotation needs at least 1 byte and 2 files: maxBytes %d, maxFiles %d",
            maxBytes, maxFiles);
  }

  @Test
  @DisplayName("the least there may be; the kubelet keeps five files of 10 MiB")
  void least() {
    assertThat(new LogRotation(1, 2).maxFiles()).isEqualTo(2);
    assertThat(LogRotation.KUBELET).isEqualTo(new LogRotation(10 * 1024 * 1024, 5));
  }
}
