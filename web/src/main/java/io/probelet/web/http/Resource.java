package io.probelet.web.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Answers GET on one path. Called on virtual threads, by several at once, and may block; an
 * exception becomes status 500.
 */
@FunctionalInterface
public non-sealed interface Resource extends Route {
  /** Plain text in UTF-8. */
  String TEXT = "text/plain; charset=utf-8";

  /** JSON, which is always UTF-8. */
  String JSON = "application/json";

  /** HTML in UTF-8. */
  String HTML = "text/html; charset=utf-8";

  /**
   * Answers a request.
   *
   * @param query the decoded parameters, each with its values in order
   * @throws BadRequest if the parameters make no sense
   * @throws Exception if there is no answer; the client gets status 500, the log the reason
   */
  Answer get(Map<String, List<String>> query) throws Exception;

  @Override
  default List<String> methods() {
    return List.of("GET", "HEAD");
  }

  /** A request that cannot be answered as it stands. */
  final class BadRequest extends Exception {
    private static final long serialVersionUID = 1;

    /** Creates the exception. */
    public BadRequest(String message) {
      super(message);
    }
  }

  /**
   * Status, type and content.
   *
   * @param headers further headers, each with its value
   */
  record Answer(int status, String contentType, Body body, Map<String, String> headers) {
    /** Keeps an unmodifiable copy of the headers. */
    public Answer {
      headers = Map.copyOf(headers);
    }

    /** Creates an answer without further headers. */
    public Answer(int status, String contentType, Body body) {
      this(status, contentType, body, Map.of());
    }

    /** {@return an answer of text that is at hand} */
    public static Answer of(int status, String contentType, String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new Answer(status, contentType, out -> out.write(bytes));
    }

    /**
     * {@return the same answer with only these headers besides its type}
     *
     * @param further names and values; of the program, not of a client
     */
    public Answer with(Map<String, String> further) {
      return new Answer(status, contentType, body, further);
    }
  }

  /** Content that is made while it is sent, so that it never has to fit into memory. */
  @FunctionalInterface
  interface Body {
    /**
     * Writes the content; blocks while the client is slow to read.
     *
     * @throws IOException if the client went away
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Content that goes on for as long as the client stays. What has been written is sent by {@link
   * OutputStream#flush}, which fails when the client has gone; it has to be called every few
   * seconds, and the client has to read what was sent within the time an answer may take.
   */
  @FunctionalInterface
  interface LiveBody extends Body {}
}
