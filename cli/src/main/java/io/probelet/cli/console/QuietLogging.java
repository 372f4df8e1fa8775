package io.probelet.cli.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logging of a command that does not open {@link Logging}: warnings go to standard error, apart
 * from the command's output.
 */
public final class QuietLogging extends ContextAwareBase implements Configurator {
  /** Called by Logback through the service loader. */
  public QuietLogging() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    context.addTurboFilter(new CredentialPluginFilter());
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(Logging.stream(context, LogFormat.TEXT, "System.err"));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** Suppresses the warnings of a logger whose caller reports the same to the user. */
  public static void onlyErrorsOf(String name) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLogger(name).setLevel(Level.ERROR);
    }
  }
}
