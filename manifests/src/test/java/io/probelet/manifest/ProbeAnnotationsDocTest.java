package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOrigins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cel",
        "dns",
        "grpc-tls",
        "http",
        "redis",
        "smtp",
        "tls",
        "udp",
        "unix-socket",
        "websocket"
      })
  @DisplayName("the examples of probes are valid, and their annotations are in effect")
  void examples(String name) throws IOException {
    Reading reading = Reading.of(Files.readString(Path.of("../examples/probes/" + name + ".yaml")));
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.probe(ProbeKind.READINESS).origins().of(ProbeOrigins.Value.HANDLER))
        .isEqualTo(ProbeOrigins.Origin.ANNOTATION);
  }
}
