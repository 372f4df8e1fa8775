package io.probelet.monitor.plugin;

import io.probelet.health.ConditionStatus;
import io.probelet.health.GoDuration;
import io.probelet.monitor.check.Check;
import io.probelet.monitor.check.CheckResult;
import io.probelet.monitor.log.CleanText;
import io.probelet.monitor.rule.PluginRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.commons.exec.CommandLine;
import org.apache.commons.exec.DefaultExecutor;
import org.apache.commons.exec.ExecuteWatchdog;
import org.apache.commons.exec.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a plugin once. */
public final class PluginRun {
  private static final Logger LOG = LoggerFactory.getLogger(PluginRun.class);
  private static final int OK = 0;
  private static final int PROBLEM = 1;

  private final PluginRule rule;
  private final int maxOutputLength;
  private final BuiltIns builtIns;

  /**
   * Prepares a run.
   *
   * @param rule what to run
   * @param maxOutputLength bytes of output that become the message, 1 or more
   * @param builtIns takes the place of plugins that do not exist
   */
  public PluginRun(PluginRule rule, int maxOutputLength, BuiltIns builtIns) {
    this.rule = rule;
    this.maxOutputLength = maxOutputLength;
    this.builtIns = builtIns;
  }

  /**
   * Runs the plugin and waits for its end, or its timeout.
   *
   * @return what came of it
   * @throws InterruptedException if the calling thread was interrupted; the plugin has been killed
   */
  public PluginResult run() throws InterruptedException {
    Path program = Path.of(rule.path());
    if (rule.path().contains("/") && !Files.isExecutable(program)) {
      return Files.exists(program)
          ? new PluginResult.NotRun(rule.path() + " is not executable")
          : builtIn();
    }
    ExecuteWatchdog watchdog =
        ExecuteWatchdog.builder()
            .setTimeout(rule.timeout())
            .setThreadFactory(Thread.ofVirtual().name("plugin-timeout").factory())
            .get();
    PluginOutput output = new PluginOutput();
    GroupExecutor executor;
    try {
      executor = new GroupExecutor(PluginStart.of(rule, builtIns.environment()));
    } catch (IOException unknown) {
      return notRun(unknown.getMessage());
    }
    executor.setExitValues(null);
    executor.setWatchdog(watchdog);
    executor.setStreamHandler(output);
    int exitCode;
    try {
      exitCode = executor.execute(new CommandLine(rule.path()));
    } catch (IOException failed) {
      return notRun(failed.getMessage());
    } finally {
      executor.end();
    }
    log(output.err());
    if (watchdog.killedProcess()) {
      return late();
    }
    if (exitCode == Executor.INVALID_EXITVALUE) { // its way to say that this thread was interrupted
      throw new InterruptedException("gave up on " + rule.path());
    }
    String errors = CleanText.of(new String(output.err(), StandardCharsets.UTF_8)).strip();
    if (PluginStart.isComplaint(exitCode, errors)) {
      return notRun(errors);
    }
    return new PluginResult.Ran(
        status(exitCode), cut(new String(output.out(), StandardCharsets.UTF_8)), false);
  }

  private PluginResult notRun(@Nullable String why) {
    return new PluginResult.NotRun(rule.path() + " cannot be run: " + why);
  }

  private PluginResult builtIn() throws InterruptedException {
    try {
      Optional<Check> known = builtIns.of(rule);
      return known.isEmpty()
          ? new PluginResult.NotRun(rule.path() + " does not exist")
          : run(known.get());
    } catch (IllegalArgumentException wrong) {
      return new PluginResult.NotRun(
          rule.path() + " does not exist, and what is built in " + wrong.getMessage());
    }
  }

  private PluginResult run(Check check) throws InterruptedException {
    FutureTask<CheckResult> look = new FutureTask<>(check::look);
    Thread thread = Thread.ofPlatform().daemon().name("plugin-built-in").start(look);
    try {
      return result(look.get(rule.timeout().toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException late) {
      return late();
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      String why = cause == null ? failed.getMessage() : cause.getMessage();
      return new PluginResult.Ran(ConditionStatus.UNKNOWN, cut(String.valueOf(why)), false);
    } finally {
      thread.interrupt();
    }
  }

  private PluginResult result(CheckResult found) {
    return switch (found) {
      case CheckResult.Ok() -> new PluginResult.Ran(ConditionStatus.FALSE, "", false);
      case CheckResult.Problem(String message) ->
          new PluginResult.Ran(ConditionStatus.TRUE, cut(message), false);
      case CheckResult.Devices(_, String problem) ->
          new PluginResult.Ran(
              problem.isEmpty() ? ConditionStatus.FALSE : ConditionStatus.TRUE,
              cut(problem),
              false);
      case CheckResult.Unknown(String why) ->
          new PluginResult.Ran(ConditionStatus.UNKNOWN, cut(why), false);
    };
  }

  private PluginResult late() {
    return new PluginResult.Ran(
        ConditionStatus.UNKNOWN,
        "no answer from " + rule.path() + " within " + GoDuration.format(rule.timeout()),
        true);
  }

  private static ConditionStatus status(int exitCode) {
    return switch (exitCode) {
      case OK -> ConditionStatus.FALSE;
      case PROBLEM -> ConditionStatus.TRUE;
      default -> ConditionStatus.UNKNOWN; // 128 + n for signal n among them
    };
  }

  private String cut(String output) {
    return cut(output, maxOutputLength);
  }

  /** Trimmed, then cut to so many bytes, before the character that would not fit. */
  static String cut(String output, int maxBytes) {
    byte[] text = output.strip().getBytes(StandardCharsets.UTF_8);
    int end = Math.min(text.length, maxBytes);
    while (end > 0 && end < text.length && (text[end] & 0xC0) == 0x80) {
      end--;
    }
    return CleanText.of(new String(text, 0, end, StandardCharsets.UTF_8));
  }

  private void log(byte[] complaint) {
    if (complaint.length > 0 && LOG.isDebugEnabled()) {
      LOG.debug(
          "plugin={} stderr={}",
          rule.path(),
          CleanText.of(new String(complaint, StandardCharsets.UTF_8)));
    }
  }

  /** Starts the plugin as leader of a process group; destroying it, as watchdogs do, kills all. */
  private static final class GroupExecutor extends DefaultExecutor {
    private @Nullable Process launched;

    private final PluginStart start;

    @SuppressWarnings("deprecation") // the builder that replaces it cannot make a subclass
    GroupExecutor(PluginStart start) {
      this.start = start;
    }

    @Override
    protected Process launch(CommandLine nominal, @Nullable Map<String, String> env, Path dir)
        throws IOException {
      ProcessBuilder builder = new ProcessBuilder(start.words());
      builder.environment().clear();
      builder.environment().putAll(start.env());
      Process started = new GroupLeader(builder.start());
      launched = started;
      return started;
    }

    /** What still runs has nobody who waits for it, as there was no thread for its output, say. */
    void end() {
      if (launched != null) {
        launched.destroy();
      }
    }
  }
}
