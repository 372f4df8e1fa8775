package io.probelet.probe.runtime;

import io.probelet.health.ShortText;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How an instance of a container ended. It is for people: a tenant may write its texts, and no rule
 * reads them.
 *
 * @param exitCode the exit code; 128 + n after signal n
 * @param signal the signal that ended it, 0 for none or unknown
 * @param reason one word such as Error or OOMKilled, possibly empty; at most 128 characters are
 *     kept
 * @param message text of the runtime, or of the container itself, possibly empty; at most 1,024
 *     characters are kept
 * @param finishedAt when it ended; null when that is unknown
 */
public record Termination(
    int exitCode, int signal, String reason, String message, @Nullable Instant finishedAt) {
  /** Characters that are kept of a message. */
  public static final int MAX_MESSAGE = 1_024;

  /** Characters that are kept of a reason. */
  public static final int MAX_REASON = 128;

  /** Shells and container runtimes report the end by a signal as this plus its number. */
  private static final int SIGNALLED = 128;

  private static final int MAX_SIGNAL = 64;

  /** As Linux numbers them on x86 and ARM. */
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(1, "SIGHUP"),
          Map.entry(2, "SIGINT"),
          Map.entry(3, "SIGQUIT"),
          Map.entry(4, "SIGILL"),
          Map.entry(5, "SIGTRAP"),
          Map.entry(6, "SIGABRT"),
          Map.entry(7, "SIGBUS"),
          Map.entry(8, "SIGFPE"),
          Map.entry(9, "SIGKILL"),
          Map.entry(10, "SIGUSR1"),
          Map.entry(11, "SIGSEGV"),
          Map.entry(12, "SIGUSR2"),
          Map.entry(13, "SIGPIPE"),
          Map.entry(14, "SIGALRM"),
          Map.entry(15, "SIGTERM"),
          Map.entry(24, "SIGXCPU"),
          Map.entry(25, "SIGXFSZ"),
          Map.entry(31, "SIGSYS"));

  /** Cuts the texts, and takes the signal from the exit code where none is given. */
  public Termination {
    reason = ShortText.of(reason, MAX_REASON);
    message = ShortText.of(message, MAX_MESSAGE);
    if (signal <= 0 && exitCode > SIGNALLED && exitCode <= SIGNALLED + MAX_SIGNAL) {
      signal = exitCode - SIGNALLED;
    }
  }

  /** {@return the signal's name such as SIGKILL, or its number; empty for none} */
  public Optional<String> signalName() {
    return signal <= 0
        ? Optional.empty()
        : Optional.of(NAMES.getOrDefault(signal, "signal " + signal));
  }
}
