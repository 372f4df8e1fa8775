package io.probelet.agent.cluster.pods;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.probelet.agent.manifest.tree.Node.Mapping;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One page of a list of pods. It is read pod by pod: never is there more than one pod's tree, which
 * has ten times the size of its text.
 *
 * @param resourceVersion the moment that the list is of
 * @param next where the next page begins; empty if there is none
 */
record PodPage(String resourceVersion, String next) {
  private static final Logger LOG = LoggerFactory.getLogger(PodPage.class);
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * Reads a page.
   *
   * @param json what the server sent
   * @param pods takes each pod of it
   * @throws IOException if it is no list; the message says why
   */
  static PodPage read(byte[] json, Consumer<Mapping> pods) throws IOException {
    String version = "";
    String next = "";
    try (JsonParser parser = JSON.createParser(json)) {
      expect(parser, JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        boolean object = parser.nextToken() == JsonToken.START_OBJECT;
        if (name.equals("metadata") && object) {
          Mapping metadata = object(parser, json);
          version = ApiObject.text(metadata, "resourceVersion");
          next = ApiObject.text(metadata, "continue");
        } else if (name.equals("items") && parser.isExpectedStartArrayToken()) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            pods.accept(object(parser, json));
          }
        } else {
          parser.skipChildren();
        }
      }
    }
    return new PodPage(version, next);
  }

  private static void expect(JsonParser parser, JsonToken token) throws IOException {
    if (parser.nextToken() != token) {
      throw new IOException("the API server sent no list of pods");
    }
  }

  /** The value that begins here; an unreadable one must not hide the others. */
  private static Mapping object(JsonParser parser, byte[] json) throws IOException {
    int from = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
    parser.skipChildren();
    int to = Math.toIntExact(parser.currentLocation().getByteOffset());
    String text = new String(json, from, to - from, StandardCharsets.UTF_8);
    return ApiObject.read(text)
        .orElseGet(() -> {
          LOG.warn("pods unreadable=\"{}\"", text.substring(0, Math.min(text.length(), 200)));
          return ApiObject.NOTHING;
        });
  }
}
