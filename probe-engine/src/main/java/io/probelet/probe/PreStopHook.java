package io.probelet.probe;

import io.probelet.probe.ProbeHandler.HttpGet;
import java.time.Duration;
import java.util.List;

/** The {@code lifecycle.preStop} hook of a container, run before it is stopped (D-7). */
public sealed interface PreStopHook {
  /**
   * Runs a command in the container.
   *
   * @param command program and arguments, at least one entry; {@code $(VAR)} is not expanded, as in
   *     the kubelet
   */
  record Exec(List<String> command) implements PreStopHook {
    /** Rejects an empty command, and keeps an unmodifiable copy of it. */
    public Exec {
      command = List.copyOf(command);
      if (command.isEmpty()) {
        throw new IllegalArgumentException("exec needs at least one entry in command");
      }
    }
  }

  /**
   * Sends a request; any response is a success.
   *
   * @param request the request; its expectation is ignored
   */
  record Request(HttpGet request) implements PreStopHook {}

  /**
   * Waits.
   *
   * @param duration zero or more
   */
  record Sleep(Duration duration) implements PreStopHook {}

  /**
   * A hook that cannot run; each stop reports that.
   *
   * @param why for the user
   */
  record Refused(String why) implements PreStopHook {}
}
