package io.probelet.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.probelet.nodehealth.policy.DurationText;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes a cluster as JSON: times as in RFC 3339, durations as in resources. */
final class FleetJson {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .registerModule(
              new SimpleModule()
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addSerializer(
                      Duration.class,
                      new JsonSerializer<>() {
                        @Override
                        public void serialize(
                            Duration value, JsonGenerator out, SerializerProvider provider)
                            throws IOException {
                          out.writeString(DurationText.of(value));
                        }
                      }));

  private FleetJson() {}

  /** Writes it on one line, piece by piece, so that its size does not matter. */
  static void write(FleetView view, @Nullable FleetContainers containers, Writer out)
      throws IOException {
    JSON.writeValue(out, new Document(view.verdict(), view, containers));
    out.write('\n');
    out.flush();
  }

  /** The verdict comes first. */
  private record Document(
      FleetView.Verdict verdict,
      @JsonUnwrapped FleetView view,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable FleetContainers unhealthyContainers) {}
}
