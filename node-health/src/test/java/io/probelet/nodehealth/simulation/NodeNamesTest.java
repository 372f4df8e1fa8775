package io.probelet.nodehealth.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranges of node names, there and back. */
class NodeNamesTest {
  @ParameterizedTest
  @CsvSource({
    "'w-1,w-2,w-3', w-1..3",
    "'w-3,w-1,w-2', w-1..3",
    "'w-1,w-3', 'w-1, w-3'",
    "'w-9,w-10,w-11', w-9..11",
    "'a,w-1,b-1,b-2', 'a, b-1..2, w-1'",
    "'w-01,w-02', 'w-01, w-02'"
  })
  void compresses(String names, String brief) {
    assertThat(NodeNames.compress(List.of(names.split(",")))).isEqualTo(brief);
  }

  @Test
  void expands() {
    assertThat(NodeNames.expand("w-9..11")).containsExactly("w-9", "w-10", "w-11");
    assertThat(NodeNames.expand("w-9")).containsExactly("w-9");
  }

  @ParameterizedTest
  @CsvSource({"w-3..1", "w-1..999999"})
  void refusesRangesThatAreNone(String range) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NodeNames.expand(range))
        .withMessageContaining("write it like worker-1..30");
  }
}
