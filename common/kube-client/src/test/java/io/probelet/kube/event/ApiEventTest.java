package io.probelet.kube.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What probes, programs and kernels say becomes one plain line that the agents' policy takes. */
class ApiEventTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x\n12:00:00.000 WARN forged",
        "x\u001b[2J\u001b[31m",
        "x\u009b31m\u0085\u0000",
        "x\u2028y\u2029",
        "x\u202egnp.exe\u2066",
        "x\ud83d"
      })
  @DisplayName("C1 C2 an event has plain, bounded texts")
  void texts(String hostile) {
    String text = hostile + "y".repeat(1_200_000);
    ApiEvent event =
        new ApiEvent(
            InvolvedObject.pod("shop", "web", "uid", ""),
            text,
            ApiEvent.WARNING,
            text,
            "key",
            text,
            false);
    for (String each : new String[] {event.message(), event.reason(), event.source()}) {
      assertThat(each)
          .startsWith("x")
          .doesNotContain(
              "\n", "\u001b", "\u009b", "\u0085", "\u0000", "\u2028", "\u2029", "\u202e", "\u2066",
              "\ud83d");
    }
    assertThat(event.message()).hasSizeLessThanOrEqualTo(ApiEvent.MAX_MESSAGE);
    assertThat(event.reason()).hasSizeLessThanOrEqualTo(ApiEvent.MAX_REASON);
    assertThat(event.source()).hasSizeLessThanOrEqualTo(ApiEvent.MAX_REASON);
  }
}
