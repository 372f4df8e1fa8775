package io.probelet.cli.console;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.probelet.health.ShortText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.Map;

/**
 * One JSON object per line, with Go slog's keys {@code ts}, {@code level} and {@code msg}, and a
 * key for each field.
 */
final class JsonLine extends LayoutBase<ILoggingEvent> {
  private static final JsonFactory JSON = new JsonFactory();

  /** RFC 3339 in UTC with microseconds, so that lines sort as text. */
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);

  JsonLine() {}

  @Override
  public String doLayout(ILoggingEvent event) {
    StringWriter line = new StringWriter(256);
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("ts", TIME.format(event.getInstant()));
      json.writeStringField("level", event.getLevel().toString());
      json.writeStringField("msg", bounded(LogFields.message(event)));
      json.writeStringField("logger", event.getLoggerName());
      for (Map.Entry<String, Object> field : LogFields.of(event).entrySet()) {
        write(json, field.getKey(), field.getValue());
      }
      thrown(json, event);
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return line.append('\n').toString();
  }

  private static void write(JsonGenerator json, String key, Object value) throws IOException {
    json.writeFieldName(key);
    switch (value) {
      case Integer number -> json.writeNumber(number);
      case Long number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case Boolean flag -> json.writeBoolean(flag);
      default -> json.writeString(bounded(value.toString()));
    }
  }

  private static String bounded(String text) {
    return ShortText.of(text, TextLine.MAX_MESSAGE);
  }

  private static void thrown(JsonGenerator json, ILoggingEvent event) throws IOException {
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown == null) {
      return;
    }
    json.writeStringField("error", ExceptionFields.cause(thrown));
    if (!ExceptionFields.isLibraryWarning(event)) {
      json.writeStringField("stack", ExceptionFields.stack(thrown));
    }
  }
}
