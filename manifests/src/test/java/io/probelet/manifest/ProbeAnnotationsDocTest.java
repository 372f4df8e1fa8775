package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example that users copy is true. */
class ProbeAnnotationsDocTest {

  private static final Pattern EXAMPLE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  @Test
  void theExampleOfTheDocumentationIsValidAndMeansWhatItSays() throws IOException {
    Matcher example =
        EXAMPLE.matcher(Files.readString(Path.of("../docs/reference/probe-annotations.md")));
    assertThat(example.find()).isTrue();
    Reading reading = Reading.of(example.group(1));
    assertThat(reading.probe(ProbeKind.LIVENESS).failingPeriod()).isEqualTo(Duration.ofMillis(100));
    assertThat(reading.probe(ProbeKind.LIVENESS).failureThreshold()).isEqualTo(5);
    assertThat(reading.probe(ProbeKind.READINESS).handler()).isInstanceOf(AllOf.class);
  }
}
