package io.probelet.web.api;

import io.probelet.health.OneLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The cause of a container's state, in words for people. Messages may come from a tenant: they are
 * quoted, on one line.
 */
public final class ContainerCause {
  /** As long as the kubelet remembers an end for its back-off, it is worth showing. */
  private static final Duration RECENT = Duration.ofMinutes(10);

  /** A container has no more, unless an agent is hostile. */
  private static final int MAX_WARNINGS = 4;

  private ContainerCause() {}

  /**
   * {@return whether the end of an instance explains the container's state: it is not healthy, or
   * was restarted recently}
   */
  public static boolean matters(ContainerView container, Instant now) {
    TerminationView last = container.lastTermination();
    if (ContainerHealth.of(container).severity() != Severity.HEALTHY) {
      return last != null || !container.message().isEmpty();
    }
    return last != null
        && container.restartCount() > 0
        && last.finishedAt() != null
        && Rfc3339.readOrEpoch(last.finishedAt()).plus(RECENT).isAfter(now);
  }

  /**
   * {@return which probe of a running container fails and what it said, such as {@code readiness
   * httpGet: "connection refused"}; empty if none fails}
   *
   * @param most characters of the message that are shown
   */
  public static String failing(ContainerView container, int most) {
    if (!container.state().equals("Running")) {
      return "";
    }
    return ContainerHealth.failingFirst(container.probes()).stream()
        .filter(ContainerHealth::fails)
        .findFirst()
        .map(probe ->
            OneLine.of(probe.kind() + " " + probe.handler(), 60)
                + " fails"
                + (probe.message().isEmpty() ? "" : ": " + quoted(probe.message(), most)))
        .orElse("");
  }

  /**
   * {@return what of the container's configuration has no effect, in sentences of one line}
   *
   * @param most characters of a sentence that are shown
   */
  public static List<String> warnings(ContainerView container, int most) {
    return container.warnings().stream()
        .limit(MAX_WARNINGS)
        .map(each -> OneLine.of(each, most))
        .toList();
  }

  /** {@return how an instance ended, such as {@code exit code 137 (SIGKILL), OOMKilled}} */
  public static String ended(TerminationView last) {
    StringBuilder words = new StringBuilder("exit code ").append(last.exitCode());
    if (last.signal() != null) {
      words.append(" (").append(OneLine.of(last.signal(), 20)).append(')');
    }
    return switch (last.reason()) {
      case "", "Error", "Completed" -> words.toString(); // the exit code says as much
      default -> words.append(", ").append(OneLine.of(last.reason(), 128)).toString();
    };
  }

  /**
   * {@return a message in quotes, on one line; empty for none}
   *
   * @param message any text
   * @param most characters of it that are shown
   */
  public static String quoted(String message, int most) {
    String line = OneLine.of(message, most);
    return line.isEmpty() ? "" : '"' + line.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /**
   * {@return where the container's output is: a file on its node, else the command that prints it}
   */
  public static String log(ContainerView container) {
    if (!container.logPath().isEmpty()) {
      return OneLine.of(container.logPath(), 1_024);
    }
    boolean previous = container.state().equals("Running") && container.lastTermination() != null;
    return "kubectl logs -n %s %s -c %s%s"
        .formatted(
            OneLine.of(container.namespace(), 63),
            OneLine.of(container.pod(), 253),
            OneLine.of(container.container(), 63),
            previous ? " --previous" : "");
  }

  /**
   * {@return why the container waits, quoted; empty when nothing is known, or the last termination
   * says the same}
   *
   * @param most characters of the message that are shown
   */
  public static String waits(ContainerView container, int most) {
    TerminationView last = container.lastTermination();
    boolean repeated = last != null && last.message().equals(container.message());
    return repeated ? "" : quoted(container.message(), most);
  }

  /**
   * {@return all of it as phrases: why it waits, how it ended last, when it starts again, where its
   * log is}
   *
   * @param ago gives the age of a time, RFC 3339
   * @param most characters of a message that are shown
   */
  public static List<String> phrases(ContainerView container, UnaryOperator<String> ago, int most) {
    List<String> phrases = new ArrayList<>();
    TerminationView last = container.lastTermination();
    String waits = waits(container, most);
    if (!waits.isEmpty()) {
      phrases.add(waits);
    }
    if (last != null) {
      String said = quoted(last.message(), most);
      phrases.add(
          ended(last)
              + (last.finishedAt() == null ? "" : ", " + ago.apply(last.finishedAt()))
              + (said.isEmpty() ? "" : ": " + said));
    }
    if (container.nextStart() != null) {
      phrases.add("starts again " + ago.apply(container.nextStart()));
    }
    phrases.add("log: " + log(container));
    return phrases;
  }
}
