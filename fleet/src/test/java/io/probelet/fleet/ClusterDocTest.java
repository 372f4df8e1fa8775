package io.probelet.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** docs/how-to/cluster.md says what is there. */
class ClusterDocTest {
  private String doc;

  @BeforeEach
  void read() throws IOException {
    doc = Files.readString(Path.of("..", "docs", "how-to", "cluster.md"));
  }

  @Test
  @DisplayName("Every field of the JSON")
  void fields() {
    for (Class<?> record :
        List.of(
            FleetView.class,
            FleetNode.class,
            FleetWait.class,
            FleetRemediation.class,
            FleetCheck.class,
            FleetPolicy.class,
            FleetLeader.class,
            FleetCondition.class,
            FleetEvent.class,
            FleetPast.class,
            FleetGap.class)) {
      assertThat(Arrays.stream(record.getRecordComponents()))
          .allSatisfy(field -> assertThat(doc).contains("`" + field.getName() + "`"));
    }
  }

  @Test
  @DisplayName("Every word of a state, a source and a gap")
  void words() {
    Stream<String> words =
        Stream.of(
                Arrays.stream(FleetNode.State.values()).map(FleetNode.State::label),
                Arrays.stream(FleetWait.Source.values()).map(FleetWait.Source::label),
                Arrays.stream(FleetGap.Kind.values()).map(FleetGap.Kind::label),
                Arrays.stream(FleetView.Verdict.values()).map(FleetView.Verdict::label),
                Arrays.stream(FleetCondition.Verdict.values()).map(FleetCondition.Verdict::label))
            .flatMap(each -> each);
    assertThat(words).allSatisfy(word -> assertThat(doc).contains("`" + word + "`"));
  }
}
