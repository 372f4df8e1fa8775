package io.probelet.agent.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;

/** What of an exception is logged. */
final class Thrown {
  private Thrown() {}

  /**
   * A library that goes on after a fault repeats it; what helps is why, not where in the library.
   */
  static boolean isLibraryWarning(ILoggingEvent event) {
    return !event.getLoggerName().startsWith("io.probelet.")
        && !event.getLevel().isGreaterOrEqual(Level.ERROR);
  }

  /** {@return the words of the last cause, or its class if it has none} */
  static String cause(IThrowableProxy thrown) {
    IThrowableProxy cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.getClassName() : cause.getMessage();
  }
}
