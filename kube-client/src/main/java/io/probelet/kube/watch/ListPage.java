package io.probelet.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.GZIPInputStream;

/**
 * One page of a list. It is read object by object: never is there more than one object's tree,
 * which may have ten times the size of its text.
 *
 * @param version the moment that the list is of
 * @param next where the next page begins; empty if there is none
 */
record ListPage(String version, String next) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of what is packed with gzip; no JSON begins so. */
  private static final int PACKED = GZIPInputStream.GZIP_MAGIC & 0xff;

  private static final int UNPACKED_AT_ONCE = 16 * 1024;

  /** Reads one object. */
  @FunctionalInterface
  interface Reader {
    /**
     * Takes the parser at the object's beginning, and leaves it at its end or within.
     *
     * @throws IOException if it is no JSON
     */
    void read(JsonParser object) throws IOException;
  }

  /**
   * Reads a page.
   *
   * @param sent what the server sent, plain or packed with gzip
   * @param reader is shown each object of it
   * @throws IOException if it is no list, or a part of one; the message says why
   */
  static ListPage read(InputStream sent, Reader reader) throws IOException {
    String version = "";
    String next = "";
    boolean hasItems = false;
    try (InputStream plain = unpacked(sent);
        JsonParser page = JSON.createParser(plain)) {
      if (page.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("an answer that is no object");
      }
      while (page.nextToken() == JsonToken.FIELD_NAME) {
        String field = page.currentName();
        page.nextToken();
        switch (field) {
          case "metadata" -> {
            JsonNode metadata = page.readValueAsTree();
            version = metadata.path("resourceVersion").asText();
            next = metadata.path("continue").asText("");
          }
          case "items" -> {
            hasItems = true;
            readItems(page, reader);
          }
          default -> page.skipChildren();
        }
      }
    } catch (JsonProcessingException cut) {
      throw new IOException("an answer that is no list: " + cut.getOriginalMessage());
    }
    if (!hasItems) { // or all there are would seem to be gone
      throw new IOException("an answer that is no list: it has no items");
    }
    return new ListPage(version, next);
  }

  /** By its first byte, not by its headers: some proxies change the one without the other. */
  private static InputStream unpacked(InputStream sent) throws IOException {
    PushbackInputStream all = new PushbackInputStream(sent);
    int first = all.read();
    if (first >= 0) {
      all.unread(first);
    }
    return first == PACKED ? new GZIPInputStream(all, UNPACKED_AT_ONCE) : all;
  }

  private static void readItems(JsonParser page, Reader reader) throws IOException {
    if (!page.isExpectedStartArrayToken()) {
      page.skipChildren(); // Go writes a list of nothing as null
      return;
    }
    int depth = page.getParsingContext().getNestingDepth();
    while (page.nextToken() != JsonToken.END_ARRAY) {
      reader.read(page);
      while (page.getParsingContext().getNestingDepth() > depth) {
        if (page.nextToken() == null) {
          throw new IOException("an answer that is cut short");
        }
      }
    }
  }
}
