package io.probelet.simulation;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import io.probelet.simulation.kernel.SimulatedProcess;
import java.util.function.Consumer;

/** Hands what simulated processes log to their world. */
public final class LogCapture extends AppenderBase<ILoggingEvent> {
  private static volatile Consumer<Line> listener = _ -> {};

  /**
   * A line of a log.
   *
   * @param process who logged it; the world itself if no process runs
   * @param level such as INFO
   * @param template the text before its values are filled in, which says where it comes from
   * @param text the whole text
   */
  record Line(String process, String level, String template, String text) {}

  /** Sets who takes lines from now on. */
  static void to(Consumer<Line> next) {
    listener = next;
  }

  @Override
  protected void append(ILoggingEvent event) {
    IThrowableProxy thrown = event.getThrowableProxy();
    String cause = thrown == null ? "" : " " + thrown.getClassName() + ": " + thrown.getMessage();
    listener.accept(
        new Line(
            SimulatedProcess.running().map(SimulatedProcess::name).orElse("world"),
            event.getLevel().toString(),
            event.getMessage(),
            event.getFormattedMessage() + cause));
  }

  /** {@return an exception in one line} */
  static String text(Throwable failure) {
    StringBuilder text = new StringBuilder(failure.toString());
    for (StackTraceElement at : failure.getStackTrace()) {
      text.append(" < ")
          .append(at.getClassName())
          .append('.')
          .append(at.getMethodName())
          .append(':')
          .append(at.getLineNumber());
    }
    return text.toString();
  }
}
