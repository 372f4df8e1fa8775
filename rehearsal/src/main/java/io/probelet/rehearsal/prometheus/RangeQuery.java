package io.probelet.rehearsal.prometheus;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * A query of the range API.
 *
 * @param start the first moment, in seconds of the epoch
 * @param end the last moment, in seconds of the epoch; a multiple of the step after the first
 * @param step in seconds
 */
record RangeQuery(String expression, long start, long end, long step) {
  /** Where to ask. */
  URI uri(URI prometheus) {
    String base = prometheus.toString();
    return URI.create(
        "%s%sapi/v1/query_range?query=%s&start=%d&end=%d&step=%d"
            .formatted(
                base,
                base.endsWith("/") ? "" : "/",
                URLEncoder.encode(expression, StandardCharsets.UTF_8),
                start,
                end,
                step));
  }

  /** Whether the query can return a point at that time. */
  boolean asksFor(double seconds) {
    return seconds >= start && seconds <= end && (seconds - start) % step == 0;
  }
}
