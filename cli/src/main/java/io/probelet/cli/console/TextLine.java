package io.probelet.cli.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.LayoutBase;
import io.probelet.agent.console.Console;
import io.probelet.fleet.terminal.Terminal;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Local time and message, on one line. A message's arguments are untrusted: their control
 * characters could forge lines or move the reader's cursor. The level stands in front unless it is
 * INFO or the line is the console's.
 */
final class TextLine extends LayoutBase<ILoggingEvent> {
  private static final String CONSOLE = Console.class.getName();

  private final DateTimeFormatter time;

  /** Maximum characters of a message. */
  static final int MAX_MESSAGE = 16 << 10;

  TextLine(ZoneId zone) {
    time = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(zone);
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(128);
    time.formatTo(event.getInstant(), line);
    if (!event.getLevel().equals(Level.INFO) && !event.getLoggerName().equals(CONSOLE)) {
      line.append(' ').append(event.getLevel());
    }
    line.append(' ').append(Terminal.line(LogFields.message(event), MAX_MESSAGE));
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown == null) {
      return line.append(System.lineSeparator()).toString();
    }
    if (ExceptionFields.isLibraryWarning(event)) {
      return line.append(": ")
          .append(ExceptionFields.cause(thrown))
          .append(System.lineSeparator())
          .toString();
    }
    return line.append(System.lineSeparator()).append(ExceptionFields.stack(thrown)).toString();
  }
}
