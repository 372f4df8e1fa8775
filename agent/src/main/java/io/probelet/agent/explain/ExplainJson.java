package io.probelet.agent.explain;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Writes and reads the array of explained containers. */
public final class ExplainJson {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private static final ObjectWriter WRITER =
      MAPPER.writerFor(ExplainView.class).without(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
  private static final ObjectReader READER = MAPPER.readerForListOf(ExplainView.class);

  private ExplainJson() {}

  /**
   * Writes the array piece by piece, so that its size does not matter.
   *
   * @param containers what to write
   * @param out where to; flushed, not closed
   * @throws IOException if it cannot be written
   */
  public static void write(Iterable<ExplainView> containers, OutputStream out) throws IOException {
    try (var array = WRITER.writeValuesAsArray(out)) {
      array.writeAll(containers);
    }
  }

  /**
   * Reads the array; fields of a later version are passed over.
   *
   * @param json the array's bytes
   * @return the containers
   * @throws IOException if it is not such an array
   */
  public static List<ExplainView> read(byte[] json) throws IOException {
    return READER.readValue(json);
  }
}
