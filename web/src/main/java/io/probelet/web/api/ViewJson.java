package io.probelet.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what an agent shows, and reads it; fields of a later version are passed over. */
public final class ViewJson {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private ViewJson() {}

  /** {@return a view as JSON} */
  public static String write(Object view) {
    try {
      return MAPPER.writeValueAsString(view);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /**
   * Reads a view.
   *
   * @param json its bytes
   * @throws IOException if it is none
   */
  public static <T> T read(byte[] json, Class<T> type) throws IOException {
    T view = MAPPER.readValue(json, type);
    if (view == null) {
      throw new JsonParseException(null, "null instead of an object");
    }
    return view;
  }

  /**
   * Writes an array of views piece by piece, so that its size does not matter.
   *
   * @param type what each is
   * @param out where to; flushed, not closed
   * @throws IOException if it cannot be written
   */
  public static <T> void writeAll(Iterable<T> views, Class<T> type, OutputStream out)
      throws IOException {
    try (var array =
        MAPPER
            .writerFor(type)
            .without(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .writeValuesAsArray(out)) {
      array.writeAll(views);
    }
  }

  /**
   * Reads an array of views.
   *
   * @param json its bytes
   * @param type what each is
   * @throws IOException if it is no such array
   */
  public static <T> List<T> readAll(byte[] json, Class<T> type) throws IOException {
    List<@Nullable T> views = MAPPER.readerForListOf(type).readValue(json);
    if (views == null || views.contains(null)) {
      throw new JsonParseException(null, "null instead of a list or an object");
    }
    return JsonDefaults.list(views);
  }
}
