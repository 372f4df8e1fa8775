package io.probelet.web.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.Serial;

/**
 * The most that another program may answer. It may be hostile, and a value of one byte becomes an
 * object of fifty: bytes alone are no limit.
 *
 * @param bytes most bytes of the document
 * @param values most values: objects, arrays, texts, numbers and literals
 * @param items most values of one array, or fields of one object
 */
public record JsonLimits(int bytes, int values, int items) {
  /** An answer about one node: enough for 500 containers with their histories. */
  public static final JsonLimits OF_NODE = new JsonLimits(8 << 20, 600_000, 5_000);

  /** An answer about a cluster of 15,000 nodes. */
  public static final JsonLimits OF_CLUSTER = new JsonLimits(8 << 20, 600_000, 50_000);

  /** What a process on this machine answers about all that it probes. */
  public static final JsonLimits OF_PROCESS = new JsonLimits(8 << 20, 600_000, 50_000);

  private static final int MAX_DEPTH = 16;
  private static final int MAX_TEXT = 16_384;
  private static final JsonFactory STRICT =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNameLength(MAX_TEXT)
                  .build())
          .build();

  /** A document is larger than allowed. */
  public static final class ExceededException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    private ExceededException(String message) {
      super(message);
    }
  }

  /**
   * Checks a document without keeping anything of it.
   *
   * @param json its bytes
   * @throws IOException if it is not JSON, or more than allowed; the message is for the user
   */
  public void check(byte[] json) throws IOException {
    if (json.length > bytes) {
      throw new ExceededException("more than " + (bytes >> 20) + " MiB");
    }
    try (JsonParser tokens = STRICT.createParser(json)) {
      int[] itemsAt = new int[MAX_DEPTH + 1]; // by depth
      int depth = 0;
      int total = 0;
      for (JsonToken token = tokens.nextToken(); token != null; token = tokens.nextToken()) {
        if (token.isStructEnd()) {
          depth--;
          continue;
        }
        if (token == JsonToken.FIELD_NAME) {
          continue;
        }
        if (++total > values) {
          throw new ExceededException("more than " + values + " values");
        }
        if (++itemsAt[depth] > items) {
          throw new ExceededException("a list with more than " + items + " values");
        }
        if (token.isStructStart()) {
          itemsAt[++depth] = 0;
        } else if (token == JsonToken.VALUE_STRING && tokens.getTextLength() > MAX_TEXT) {
          throw new ExceededException("a text with more than " + MAX_TEXT + " characters");
        }
      }
    }
  }
}
