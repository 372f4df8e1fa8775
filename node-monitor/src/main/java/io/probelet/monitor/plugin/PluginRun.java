package io.probelet.monitor.plugin;

import io.probelet.health.ConditionStatus;
import io.probelet.health.GoDuration;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.rule.Monitor.PluginRule;
import io.probelet.monitor.track.Evidence;
import io.probelet.process.CappedOutput;
import io.probelet.process.GroupCommand;
import io.probelet.process.ProcessGroup;
import io.probelet.process.ProcessGroups;
import io.probelet.process.ProcessOutput;
import io.probelet.process.RootOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a plugin once. */
public final class PluginRun {
  private static final Logger LOG = LoggerFactory.getLogger(PluginRun.class);
  private static final int OK = 0;
  private static final int PROBLEM = 1;

  /** Per stream; longer than any message. */
  private static final int KEPT_BYTES = 4096;

  /** Of a plugin on the node, until it begins: a tenth of a second unless the node is starved. */
  private static final Duration LONGEST_START = Duration.ofSeconds(30);

  private final PluginRule rule;
  private final int maxOutputLength;
  private final BuiltIns builtIns;

  /**
   * Prepares a run.
   *
   * @param maxOutputLength bytes of output that become the message, 1 or more
   * @param builtIns replaces plugins that do not exist
   */
  public PluginRun(PluginRule rule, int maxOutputLength, BuiltIns builtIns) {
    this.rule = rule;
    this.maxOutputLength = maxOutputLength;
    this.builtIns = builtIns;
  }

  /**
   * Runs the plugin and waits for its end, or its timeout.
   *
   * @throws InterruptedException if the calling thread was interrupted; the plugin was killed
   */
  public PluginResult run() throws InterruptedException {
    Machine machine = builtIns.machine();
    Map<String, String> ours = builtIns.environment();
    return switch (PluginFile.find(rule.path(), machine, ours)) {
      case PluginFile.Absent() -> builtIn();
      case PluginFile.NotExecutable() ->
          new PluginResult.NotExecutable(rule.path() + " is not executable");
      case PluginFile.Here() -> here(ours);
      case PluginFile.OnNode file -> onNode(file, machine, ours);
    };
  }

  private PluginResult here(Map<String, String> ours) throws InterruptedException {
    CappedOutput out = new CappedOutput(KEPT_BYTES);
    CappedOutput err = new CappedOutput(KEPT_BYTES);
    try {
      return ended(start(PluginStart.of(rule, ours), out, err), out, err);
    } catch (IOException failed) {
      return notRun(failed.getMessage());
    }
  }

  private PluginResult onNode(PluginFile.OnNode file, Machine machine, Map<String, String> ours)
      throws InterruptedException {
    CappedOutput out = new CappedOutput(KEPT_BYTES);
    CappedOutput err = new CappedOutput(KEPT_BYTES);
    RootOutput all = new RootOutput(out);
    ProcessGroup group;
    try {
      group = start(PluginStart.of(rule, file, machine, ours), all, err);
    } catch (IOException failed) {
      return notRun(failed.getMessage());
    }
    try {
      if (!all.awaitBegin(LONGEST_START)) { // not part of the plugin's own timeout
        group.kill();
        int _ = group.waitFor();
        return notRun("not started within " + GoDuration.format(LONGEST_START));
      }
    } catch (InterruptedException gaveUp) {
      group.kill();
      throw gaveUp;
    }
    return ended(group, out, err);
  }

  private static ProcessGroup start(GroupCommand command, OutputStream out, CappedOutput err)
      throws IOException {
    return ProcessGroups.load().start(command, ProcessOutput.to(out, err));
  }

  private PluginResult ended(ProcessGroup group, CappedOutput out, CappedOutput err)
      throws InterruptedException {
    OptionalInt exitCode = group.endWithin(rule.timeout());
    String errors = Evidence.text(err.text());
    if (!errors.isEmpty()) {
      LOG.debug("plugin wrote to standard error plugin={} stderr=\"{}\"", rule.path(), errors);
    }
    if (exitCode.isEmpty()) {
      return late();
    }
    if (PluginStart.isComplaint(exitCode.getAsInt(), errors)) {
      return notRun(errors.strip());
    }
    return new PluginResult.Ran(status(exitCode.getAsInt()), cut(out.text()), false);
  }

  private PluginResult notRun(@Nullable String why) {
    return new PluginResult.NotRun(rule.path() + " cannot be run: " + why);
  }

  private PluginResult builtIn() throws InterruptedException {
    try {
      Optional<NodeCheck> known =
          builtIns.of(rule); // those of node-problem-detector are built in
      return known.isEmpty()
          ? new PluginResult.NotRun(rule.path() + " does not exist")
          : run(known.get());
    } catch (IllegalArgumentException wrong) {
      return new PluginResult.NotRun(
          rule.path()
              + " does not exist, and its built-in replacement rejects the arguments: "
              + wrong.getMessage());
    }
  }

  private PluginResult run(NodeCheck check) throws InterruptedException {
    FutureTask<NodeCheckResult> run = new FutureTask<>(check::run);
    Thread thread = Thread.ofPlatform().daemon().name("plugin-built-in").start(run);
    try {
      return result(run.get(rule.timeout().toNanos(), TimeUnit.NANOSECONDS));
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

  private PluginResult result(NodeCheckResult found) {
    return switch (found) {
      case NodeCheckResult.Ok() -> new PluginResult.Ran(ConditionStatus.FALSE, "", false);
      case NodeCheckResult.Problem(String message) ->
          new PluginResult.Ran(ConditionStatus.TRUE, cut(message), false);
      case NodeCheckResult.Devices(_, String problem, _) ->
          new PluginResult.Ran(
              problem.isEmpty() ? ConditionStatus.FALSE : ConditionStatus.TRUE,
              cut(problem),
              false);
      case NodeCheckResult.Unavailable(_, String why) ->
          new PluginResult.Ran(ConditionStatus.UNKNOWN, cut(why), false);
      case NodeCheckResult.Unknown(String why) ->
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

  /** Trimmed, then cut to a number of bytes, at a character boundary. */
  static String cut(String output, int maxBytes) {
    byte[] text = output.strip().getBytes(StandardCharsets.UTF_8);
    int end = Math.min(text.length, maxBytes);
    while (end > 0 && end < text.length && (text[end] & 0xC0) == 0x80) {
      end--;
    }
    return Evidence.text(new String(text, 0, end, StandardCharsets.UTF_8));
  }
}
