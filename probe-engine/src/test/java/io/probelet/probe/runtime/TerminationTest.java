package io.probelet.probe.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How an end is told: the signal behind an exit code, and how much of its texts is kept. */
class TerminationTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          exit code, signal given, signal
          0,         0,
          1,         0,
          128,       0,
          129,       0,            SIGHUP
          134,       0,            SIGABRT
          137,       0,            SIGKILL
          139,       0,            SIGSEGV
          143,       0,            SIGTERM
          170,       0,            signal 42
          192,       0,            signal 64
          193,       0,
          255,       0,
          -1,        0,
          0,         9,            SIGKILL
          """,
      useHeadersInDisplayName = true)
  void namesTheSignal(int exitCode, int given, String signal) {
    Termination termination = new Termination(exitCode, given, "Error", "", null);
    assertThat(termination.signalName().orElse(null)).isEqualTo(signal);
  }

  @Test
  void keepsBoundedTexts() {
    Termination termination =
        new Termination(1, 0, "r".repeat(10_000), "m".repeat(1_000_000), null);
    assertThat(termination.reason()).hasSize(Termination.MAX_REASON).endsWith("…");
    assertThat(termination.message()).hasSize(Termination.MAX_MESSAGE).endsWith("…");
    assertThat(ContainerDetails.NONE.saying("w".repeat(1_000_000)).message())
        .hasSize(Termination.MAX_MESSAGE)
        .endsWith("…");
  }

  @Test
  void takesFromTheOtherSourceWhatIsUnknown() {
    Termination ours = new Termination(1, 0, "Error", "", null);
    Termination theirs = new Termination(2, 0, "Error", "", null);
    ContainerDetails known = new ContainerDetails("waits", theirs, "/var/log/c");
    assertThat(ContainerDetails.NONE.or(known)).isEqualTo(known);
    assertThat(ContainerDetails.ended(ours).or(known))
        .isEqualTo(new ContainerDetails("waits", ours, "/var/log/c"));
  }
}
