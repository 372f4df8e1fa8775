package io.probelet.agent.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Local time and message. The console's own lines say all in their words; others get their level in
 * front when it is not INFO.
 */
final class TextLine extends LayoutBase<ILoggingEvent> {
  private static final String CONSOLE = Console.class.getName();

  private final DateTimeFormatter time;

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
    line.append(' ').append(event.getFormattedMessage());
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown == null) {
      return line.append(System.lineSeparator()).toString();
    }
    if (Thrown.isLibraryWarning(event)) {
      return line.append(": ")
          .append(Thrown.cause(thrown))
          .append(System.lineSeparator())
          .toString();
    }
    return line.append(System.lineSeparator())
        .append(ThrowableProxyUtil.asString(thrown))
        .toString();
  }
}
