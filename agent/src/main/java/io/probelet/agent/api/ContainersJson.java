package io.probelet.agent.api;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** Writes and reads the array of containers. */
public final class ContainersJson {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private static final ObjectWriter WRITER =
      MAPPER.writerFor(ContainerView.class).without(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
  private static final ObjectReader READER = MAPPER.readerForListOf(ContainerView.class);

  private ContainersJson() {}

  /**
   * Writes the array piece by piece, so that its size does not matter.
   *
   * @param containers what to write
   * @param out where to; flushed, not closed
   * @throws IOException if it cannot be written
   */
  public static void write(Iterable<ContainerView> containers, OutputStream out)
      throws IOException {
    try (var array = WRITER.writeValuesAsArray(out)) {
      array.writeAll(containers);
    }
  }

  /**
   * Reads the array; fields of a later version are passed over.
   *
   * @param in read to its end
   * @return the containers
   * @throws IOException if it cannot be read or is not such an array
   */
  public static List<ContainerView> read(InputStream in) throws IOException {
    return READER.readValue(in);
  }
}
