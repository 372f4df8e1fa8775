package io.probelet.rehearsal.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a response of the range API as a stream; of the values it keeps only their times. */
final class MatrixReader {
  /** Maximum size of a response in bytes. */
  static final int MAX_BYTES = 32 << 20;

  /** Maximum number of points in a response. */
  static final int MAX_POINTS = 200_000;

  private static final int MAX_DEPTH = 16;
  private static final int MAX_TEXT = 64 * 1024;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(MAX_TEXT)
                  .maxNameLength(MAX_TEXT)
                  .maxNumberLength(64)
                  .build())
          .build();

  private final RangeQuery query;
  private final JsonParser parser;
  private final List<Series> series = new ArrayList<>();
  private String status = "";
  private String error = "";
  private String warning = "";
  private int points;
  private double last;

  /**
   * One series.
   *
   * @param times the times of its points, in seconds of the epoch, ascending
   * @param last the value of the last point; NaN if it is no number, or there is no point
   */
  @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
  record Series(Map<String, String> labels, long[] times, double last) {}

  /**
   * A response.
   *
   * @param series the series; possibly none
   * @param succeeded whether it reports success
   * @param error its error; possibly empty
   * @param warning why it may be incomplete; empty if it is complete
   */
  record Answer(List<Series> series, boolean succeeded, String error, String warning) {}

  /** The response has an unexpected format. */
  static final class StrangeException extends IOException {
    private static final long serialVersionUID = 1L;

    StrangeException(String message) {
      super(message);
    }
  }

  private MatrixReader(RangeQuery query, JsonParser parser) {
    this.query = query;
    this.parser = parser;
  }

  /**
   * Reads a response.
   *
   * @param in its bytes
   * @throws TooMuchException if it exceeds a limit
   * @throws StrangeException if it is JSON of an unexpected format
   * @throws IOException if it cannot be read
   */
  static Answer read(InputStream in, RangeQuery query) throws IOException {
    try (JsonParser parser = JSON.createParser(new Bounded(in))) {
      return new MatrixReader(query, parser).answer();
    }
  }

  private static final class Bounded extends FilterInputStream {
    private long left = MAX_BYTES;

    Bounded(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int one = in.read();
      count(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int some = in.read(bytes, from, length);
      count(Math.max(0, some));
      return some;
    }

    private void count(int some) throws IOException {
      left -= some;
      if (left < 0) {
        throw new TooMuchException("a response has more than " + (MAX_BYTES >> 20) + " MiB");
      }
    }
  }

  private Answer answer() throws IOException {
    parser.nextToken();
    expect(JsonToken.START_OBJECT, "the response");
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "status" -> status = text("status");
        case "error" -> error = text("error");
        case "warnings" -> warnings();
        case "data" -> data();
        default -> parser.skipChildren();
      }
    }
    return new Answer(series, status.equals("success"), error, warning);
  }

  private void warnings() throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    expect(JsonToken.START_ARRAY, "warnings");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      warning = text("warnings");
    }
  }

  private void data() throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    expect(JsonToken.START_OBJECT, "data");
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (!name.equals("result")) {
        parser.skipChildren();
        continue;
      }
      expect(JsonToken.START_ARRAY, "result");
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        series();
      }
    }
  }

  private void series() throws IOException {
    expect(JsonToken.START_OBJECT, "a series");
    Map<String, String> labels = new HashMap<>();
    long[] times = {};
    last = Double.NaN;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "metric" -> labels(labels);
        case "values" -> times = times();
        default -> parser.skipChildren();
      }
    }
    series.add(new Series(Map.copyOf(labels), times, last));
  }

  private void labels(Map<String, String> labels) throws IOException {
    expect(JsonToken.START_OBJECT, "metric");
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      labels.put(name, text("a label"));
    }
  }

  private long[] times() throws IOException {
    expect(JsonToken.START_ARRAY, "values");
    long[] times = new long[4];
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(JsonToken.START_ARRAY, "a point");
      if (!parser.nextToken().isNumeric()) {
        throw new StrangeException("the time of a point is not a number");
      }
      double seconds = parser.getDoubleValue();
      if (!query.asksFor(seconds) || (count > 0 && seconds <= times[count - 1])) {
        throw new StrangeException("a point has an unexpected time: " + seconds);
      }
      if (++points > MAX_POINTS) {
        throw new TooMuchException("a response has more than " + MAX_POINTS + " changes");
      }
      if (count == times.length) {
        times = Arrays.copyOf(times, count * 2);
      }
      times[count++] = (long) seconds;
      parser.nextToken();
      last = number(text("the value of a point"));
      parser.nextToken();
      expect(JsonToken.END_ARRAY, "a point");
    }
    return Arrays.copyOf(times, count);
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException infinite) { // written +Inf and -Inf
      return Double.NaN;
    }
  }

  private String text(String what) throws IOException {
    expect(JsonToken.VALUE_STRING, what);
    return parser.getText();
  }

  private void expect(JsonToken token, String what) throws IOException {
    if (parser.currentToken() != token) {
      throw new StrangeException(what + " has an unexpected format");
    }
  }
}
