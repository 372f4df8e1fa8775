package io.probelet.kube.object;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The JSON parser for API server responses. Others write the objects: one that a stricter parser
 * rejects would hide all objects after it in a list.
 */
public final class WireJson {
  /** Above the depth that an API server accepts. */
  private static final int MAX_DEPTH = 20_000;

  /** Above the size of any object: field names of managed fields contain whole texts. */
  private static final int MAX_NAME = 1 << 24;

  /**
   * Keeps no table of field names: an object may have 200,000 different ones, and the table lives
   * as long as the page.
   */
  public static final JsonFactory FACTORY =
      new ObjectMapper(
              new JsonFactoryBuilder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNameLength(MAX_NAME)
                          .build())
                  .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .build())
          .getFactory();

  private WireJson() {}
}
