package io.probelet.probe.http;

import io.probelet.health.TimeSource;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.HttpHeader.FromFile;
import io.probelet.probe.HttpHeader.Literal;
import io.probelet.probe.file.BadFileException;
import io.probelet.probe.file.FileCache;
import io.probelet.probe.file.FileThreads;
import io.probelet.probe.file.SmallFile;
import io.probelet.probe.http.RequestHead.HeaderField;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The values of request headers, also of those that stand in files. Shared by all loops. */
public final class HeaderValues {
  /** Longer than any token, and what servers take of one header at most. */
  static final int MAX_FILE_BYTES = 16 * 1024;

  /** Each is small; a node has a handful of profiles. */
  private static final int MAX_VALUES = 256;

  private final FileCache<Path, String> contents;

  /**
   * Creates an empty cache.
   *
   * @param threads where files are read
   * @param time measures how long ago files were checked
   */
  public HeaderValues(FileThreads threads, TimeSource time) {
    contents = new FileCache<>(MAX_VALUES, threads, time, List::of, HeaderValues::content);
  }

  private static String content(Path file) throws BadFileException {
    byte[] bytes = SmallFile.read("header file", file, MAX_FILE_BYTES);
    return new String(bytes, StandardCharsets.UTF_8).strip();
  }

  /** {@return whether the values are all known without reading a file} */
  static boolean known(List<HttpHeader> headers) {
    return headers.stream().allMatch(header -> header.value() instanceof Literal);
  }

  /** {@return headers whose values are known} */
  static List<HeaderField> literal(List<HttpHeader> headers) {
    List<HeaderField> fields = new ArrayList<>(headers.size());
    for (HttpHeader header : headers) {
      if (header.value() instanceof Literal(String text)) {
        fields.add(new HeaderField(header.name(), text));
      }
    }
    return fields;
  }

  /**
   * Finds the values of headers.
   *
   * @return complete already, or completed on another thread; fails with {@link BadFileException}
   */
  CompletableFuture<List<HeaderField>> of(List<HttpHeader> headers) {
    List<CompletableFuture<HeaderField>> fields = new ArrayList<>(headers.size());
    for (HttpHeader header : headers) {
      fields.add(
          switch (header.value()) {
            case Literal(String text) ->
                CompletableFuture.completedFuture(new HeaderField(header.name(), text));
            case FromFile(String prefix, Path file) ->
                contents
                    .get(file)
                    .thenApply(content -> new HeaderField(header.name(), prefix + content));
          });
    }
    return CompletableFuture.allOf(fields.toArray(CompletableFuture[]::new))
        .thenApply(read -> fields.stream().map(CompletableFuture::resultNow).toList());
  }
}
