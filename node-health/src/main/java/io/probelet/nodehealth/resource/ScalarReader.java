package io.probelet.nodehealth.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.GoDuration;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads durations and numbers of nodes as the resource writes them. */
final class ScalarReader {
  private static final String TERMS = "([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+";
  private static final Pattern DURATION = Pattern.compile(TERMS);
  private static final Pattern SIGNED_DURATION = Pattern.compile("-?" + TERMS);
  private static final Pattern PERCENT = Pattern.compile("(100|[0-9]{1,2})%");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  private ScalarReader() {}

  static @Nullable Duration duration(JsonField field) {
    return duration(field, DURATION, "must be a duration such as 90s, 1.5h or 2h45m");
  }

  static @Nullable Duration signedDuration(JsonField field) {
    return duration(
        field, SIGNED_DURATION, "must be a duration such as 90s or 2h45m, or a negative one");
  }

  private static @Nullable Duration duration(JsonField field, Pattern pattern, String rule) {
    String text = field.text();
    if (text == null) {
      return null;
    }
    if (!pattern.matcher(text).matches()) {
      field.invalid(rule);
      return null;
    }
    try {
      return GoDuration.parse(text);
    } catch (IllegalArgumentException tooLong) {
      field.invalid("must not be longer than 292 years");
      return null;
    }
  }

  /** NHC-2: a number, or a whole percentage up to 100. */
  static @Nullable NodeCount count(JsonField field) {
    JsonNode value = field.value();
    if (value == null) {
      return null;
    }
    String text = value.asText();
    if (value.isTextual() && PERCENT.matcher(text).matches()) {
      return new NodeCount.Percent(Integer.parseInt(text.substring(0, text.length() - 1)));
    }
    if ((value.isTextual() || value.isIntegralNumber()) && NUMBER.matcher(text).matches()) {
      return new NodeCount.Nodes(Integer.parseInt(text));
    }
    field.invalid("must be a number of nodes, 0 or more, or a percentage from 0% to 100%");
    return null;
  }
}
