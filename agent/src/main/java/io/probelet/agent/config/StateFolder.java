package io.probelet.agent.config;

import java.nio.file.Path;
import java.util.Map;

/** Where a program of this user keeps what should outlive it, by the XDG base directory rules. */
public final class StateFolder {
  private StateFolder() {}

  /** Finds it; it need not exist. */
  public static Path of(Map<String, String> environment) {
    String configured = environment.getOrDefault("XDG_STATE_HOME", "");
    // The rules say that a relative path is to be ignored.
    Path state =
        configured.startsWith("/")
            ? Path.of(configured)
            : Path.of(environment.getOrDefault("HOME", "/tmp"), ".local", "state");
    return state.resolve("probelet");
  }
}
