package io.probelet.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.kube.object.BoundedObject;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.object.WireJson;
import io.probelet.kube.protobuf.ProtobufEnvelope;
import io.probelet.kube.protobuf.ProtobufFields;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * One page of a list. It is read object by object, so that only one tree exists at a time: a tree
 * may have ten times the size of its text.
 *
 * @param next the token of the next page; empty if there is none
 */
record ListPage(String version, String next) {
  /** The first byte of gzip; no JSON begins with it. */
  private static final int PACKED = GZIPInputStream.GZIP_MAGIC & 0xff;

  private static final int UNPACKED_AT_ONCE = 16 * 1024;

  // metav1.ListMeta, and every kind of list
  private static final int LIST_METADATA = 1;
  private static final int LIST_ITEMS = 2;
  private static final int METADATA_VERSION = 2;
  private static final int METADATA_CONTINUE = 3;

  /** Reads one object. */
  @FunctionalInterface
  interface Reader {
    /**
     * Receives the parser at the object's beginning, and leaves it at the end or within.
     *
     * @throws IOException if it is not JSON
     */
    void read(JsonParser object) throws IOException;

    /**
     * Receives the fields before the object's first, and leaves them at the end or within.
     *
     * @throws IOException if it is not such an object
     */
    default void read(ProtobufFields object) throws IOException {
      throw new IOException("unexpected protobuf response");
    }
  }

  /**
   * Reads a page.
   *
   * @param plain the response, JSON or protobuf
   * @param reader receives each object
   * @param hasNext receives the token of the next page, if any, as soon as it is known: servers
   *     send it before the first object
   * @throws IOException if it is not a complete list; the message says why
   */
  static ListPage read(Counted plain, Reader reader, Consumer<String> hasNext) throws IOException {
    try (plain) {
      return ProtobufEnvelope.beginsWith(first(plain.bytes))
          ? readProtobuf(plain, reader, hasNext)
          : readJson(plain, reader, hasNext);
    } catch (JsonProcessingException cut) {
      throw new IOException("response is not a list: " + cut.getOriginalMessage());
    }
  }

  private static ListPage readJson(InputStream plain, Reader reader, Consumer<String> hasNext)
      throws IOException {
    ListPage read = new ListPage("", "");
    boolean hasItems = false;
    try (JsonParser page = WireJson.FACTORY.createParser(plain)) {
      if (page.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("response is not an object");
      }
      while (page.nextToken() == JsonToken.FIELD_NAME) {
        String field = page.currentName();
        page.nextToken();
        switch (field) {
          case "metadata" -> {
            JsonNode metadata =
                BoundedObject.readAny(page, ObjectLimits.USUAL).orElse(MissingNode.getInstance());
            read =
                new ListPage(
                    metadata.path("resourceVersion").asText(),
                    metadata.path("continue").asText(""));
            read.passOn(hasNext);
          }
          case "items" -> {
            hasItems = true;
            readItems(page, reader);
          }
          default -> page.skipChildren();
        }
      }
    }
    if (!hasItems) { // otherwise all existing objects would seem to be gone
      throw new IOException("response is not a list: it has no items");
    }
    return read;
  }

  /** An empty list has no items here; a message without metadata is not a list. */
  private static ListPage readProtobuf(InputStream plain, Reader reader, Consumer<String> hasNext)
      throws IOException {
    ProtobufFields page = new ProtobufFields(plain);
    ProtobufEnvelope.open(page);
    ListPage read = null;
    for (int field = page.next(); field != ProtobufFields.END; field = page.next()) {
      switch (field) {
        case LIST_METADATA -> {
          read = metadata(page);
          read.passOn(hasNext);
        }
        case LIST_ITEMS -> {
          int outer = page.enter(WatchFrames.LONGEST);
          reader.read(page);
          page.leave(outer);
        }
        default -> page.skip();
      }
    }
    if (read == null || read.version.isEmpty()) {
      throw new IOException("response is not a list: it has no resourceVersion");
    }
    return read;
  }

  private static ListPage metadata(ProtobufFields page) throws IOException {
    String version = "";
    String next = "";
    int outer = page.enter();
    for (int field = page.next(); field != ProtobufFields.END; field = page.next()) {
      switch (field) {
        case METADATA_VERSION -> version = page.text();
        case METADATA_CONTINUE -> next = page.text();
        default -> page.skip();
      }
    }
    page.leave(outer);
    return new ListPage(version, next);
  }

  private void passOn(Consumer<String> hasNext) {
    if (!next.isEmpty()) {
      hasNext.accept(next);
    }
  }

  /**
   * {@return the response, decompressed if necessary} Decided by its first byte, not by its
   * headers: some proxies change only one of them.
   *
   * @param sent the response, plain or gzip
   * @throws IOException if it cannot be read
   */
  static Counted unpacked(InputStream sent) throws IOException {
    PushbackInputStream all = new PushbackInputStream(sent);
    return new Counted(
        first(all) == PACKED
            ? new PushbackInputStream(new GZIPInputStream(all, UNPACKED_AT_ONCE))
            : all);
  }

  /** Peeks at the first byte; negative if there is none. */
  private static int first(PushbackInputStream all) throws IOException {
    int first = all.read();
    if (first >= 0) {
      all.unread(first);
    }
    return first;
  }

  /** Counts the bytes read. */
  static final class Counted extends FilterInputStream {
    private final PushbackInputStream bytes;
    private long count;

    private Counted(PushbackInputStream bytes) {
      super(bytes);
      this.bytes = bytes;
    }

    long count() {
      return count;
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      count += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      int read = super.read(to, from, length);
      count += Math.max(0, read);
      return read;
    }

    @Override
    public long skip(long most) throws IOException {
      long skipped = super.skip(most);
      count += skipped;
      return skipped;
    }
  }

  private static void readItems(JsonParser page, Reader reader) throws IOException {
    if (!page.isExpectedStartArrayToken()) {
      page.skipChildren(); // Go writes an empty list as null
      return;
    }
    int depth = page.getParsingContext().getNestingDepth();
    while (page.nextToken() != JsonToken.END_ARRAY) {
      reader.read(page);
      while (page.getParsingContext().getNestingDepth() > depth) {
        if (page.nextToken() == null) {
          throw new IOException("truncated response");
        }
      }
    }
  }
}
