package io.probelet.cli.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import io.probelet.fleet.terminal.Terminal;

/** The logged parts of an exception. */
final class ExceptionFields {
  private static final int MAX_MESSAGE = 4096;
  private static final int MAX_STACK = 64 << 10;

  private ExceptionFields() {}

  /** A library repeats its warnings: the cause helps, its stack does not. */
  static boolean isLibraryWarning(ILoggingEvent event) {
    return !event.getLoggerName().startsWith("io.probelet.")
        && !event.getLevel().isGreaterOrEqual(Level.ERROR);
  }

  /** {@return the message of the last cause, or its class if it has none} */
  static String cause(IThrowableProxy thrown) {
    IThrowableProxy cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null
        ? cause.getClassName()
        : Terminal.line(cause.getMessage(), MAX_MESSAGE);
  }

  /**
   * {@return the stack as Java prints it, but each message on one line, as it may hold untrusted
   * text}
   */
  static String stack(IThrowableProxy thrown) {
    StringBuilder stack = new StringBuilder();
    append(stack, "", "", thrown);
    return stack.toString();
  }

  private static void append(
      StringBuilder stack, String indent, String relation, IThrowableProxy thrown) {
    if (stack.length() > MAX_STACK) {
      return;
    }
    stack.append(indent).append(relation).append(thrown.getClassName());
    if (thrown.getMessage() != null) {
      stack.append(": ").append(Terminal.line(thrown.getMessage(), MAX_MESSAGE));
    }
    stack.append(System.lineSeparator());
    if (thrown.isCyclic()) {
      return;
    }
    StackTraceElementProxy[] frames = thrown.getStackTraceElementProxyArray();
    int own = frames.length - thrown.getCommonFrames();
    for (int i = 0; i < own && stack.length() <= MAX_STACK; i++) {
      stack.append(indent).append('\t').append(frames[i]).append(System.lineSeparator());
    }
    if (own < frames.length) {
      stack.append(indent).append("\t... ").append(frames.length - own).append(" common frames");
      stack.append(System.lineSeparator());
    }
    for (IThrowableProxy suppressed : thrown.getSuppressed()) {
      append(stack, indent + "\t", "Suppressed: ", suppressed);
    }
    if (thrown.getCause() != null) {
      append(stack, indent, "Caused by: ", thrown.getCause());
    }
  }
}
