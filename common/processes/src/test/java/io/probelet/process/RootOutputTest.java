package io.probelet.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What comes from the JVM before a program, and what from the program. */
class RootOutputTest {
  private final CappedOutput program = new CappedOutput(100);
  private final RootOutput output = new RootOutput(program);

  @Test
  @DisplayName("the first byte begins the program; it is not of its output")
  void begins() throws Exception {
    assertThat(output.awaitBegin(Duration.ZERO)).isFalse();
    output.write(new byte[0], 0, 0);
    assertThat(output.awaitBegin(Duration.ZERO)).isFalse();
    output.write("\nhel".getBytes(US_ASCII), 0, 4);
    assertThat(output.awaitBegin(Duration.ZERO)).isTrue();
    output.write("lo\n".getBytes(US_ASCII), 0, 3);
    assertThat(program.text()).isEqualTo("hello\n");
  }

  @Test
  @DisplayName("a process that ended without a program is waited for no longer")
  void ended() throws Exception {
    output.close();
    assertThat(output.awaitBegin(Duration.ofDays(1))).isTrue();
    assertThat(program.text()).isEmpty();
  }
}
