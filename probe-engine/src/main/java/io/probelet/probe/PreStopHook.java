package io.probelet.probe;

import io.probelet.probe.ProbeHandler.HttpGet;
import java.time.Duration;
import java.util.List;

/** What a container wants done before it is stopped (D-7): its {@code lifecycle.preStop}. */
public sealed interface PreStopHook {
  /**
   * Runs a command in the container.
   *
   * @param command program and arguments, at least one entry; taken as they are, {@code $(VAR)}
   *     too, as the kubelet does with hooks
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
   * Sends a request, which any answer fulfils.
   *
   * @param request what is sent; its expectation does not count
   */
  record Request(HttpGet request) implements PreStopHook {}

  /**
   * Waits.
   *
   * @param duration zero or more
   */
  record Sleep(Duration duration) implements PreStopHook {}

  /**
   * One that is not carried out; each stop says so.
   *
   * @param why for the user
   */
  record Refused(String why) implements PreStopHook {}
}
