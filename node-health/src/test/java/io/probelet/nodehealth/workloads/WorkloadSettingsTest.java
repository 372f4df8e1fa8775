package io.probelet.nodehealth.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** WE-14: the limits of the settings. */
class WorkloadSettingsTest {
  private static final List<String> THREE = List.of("a", "b", "c");

  private static WorkloadSettings with(String namespaces) {
    return new WorkloadSettings(List.of(namespaces.split(",", -1)), Duration.ofMinutes(5), 3, 60);
  }

  @Test
  void acceptsWhatIsAllowed() {
    List<String> most = IntStream.range(0, 32).mapToObj(i -> "ns-" + i).toList();
    assertThat(new WorkloadSettings(THREE, Duration.ofMinutes(1), 3, 50).share()).isEqualTo(50);
    assertThat(new WorkloadSettings(most, Duration.ofHours(1), 100, 100).namespaces()).hasSize(32);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''      | namespaces: "" is not the name of a namespace: at most 63 of a-z, 0-9 and -
          a,b     | namespaces: 2 are named; 3 to 32 are allowed
          a,b,a   | namespaces: "a" is named twice
          a,b,C   | namespaces: "C" is not the name of a namespace: at most 63 of a-z, 0-9 and -
          a,b,../c| namespaces: "../c" is not the name of a namespace: at most 63 of a-z, 0-9 and -
          """)
  void refusesNamespaces(String namespaces, String message) {
    assertThatThrownBy(() -> with(namespaces)).hasMessage(message);
  }

  @Test
  void refusesTooManyNamespaces() {
    String many = String.join(",", IntStream.range(0, 33).mapToObj(i -> "ns-" + i).toList());
    assertThatThrownBy(() -> with(many))
        .hasMessage("namespaces: 33 are named; 3 to 32 are allowed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PT59S  | 3   | 60  | for: 59s is not from 1m to 1h
          PT61M  | 3   | 60  | for: 1h1m is not from 1m to 1h
          PT5M   | 2   | 60  | minimum: 2 is not from 3 to 100
          PT5M   | 101 | 60  | minimum: 101 is not from 3 to 100
          PT5M   | 3   | 49  | share: 49 is not from 50 to 100
          PT5M   | 3   | 101 | share: 101 is not from 50 to 100
          """)
  void refusesNumbers(Duration duration, int minimum, int share, String message) {
    assertThatThrownBy(() -> new WorkloadSettings(THREE, duration, minimum, share))
        .hasMessage(message);
  }
}
