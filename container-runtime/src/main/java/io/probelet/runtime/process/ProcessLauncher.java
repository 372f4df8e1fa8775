package io.probelet.runtime.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Starts process groups that cannot escape the guard.
 *
 * <p>A new process makes a session, and with it a group, of its own and then waits at a gate: a
 * shell that reads one line before it turns into the program. The line comes once the guard knows
 * the group. If the agent dies before, the shell reads the end of its input instead and ends.
 */
final class ProcessLauncher {
  /** Shells drop variables whose names they could not write; those take another way. */
  private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final String CARRIER = "PROBELET_ENV_";

  private final ProcessGroups groups;
  private final ProcessGuard guard;

  ProcessLauncher(ProcessGroups groups, ProcessGuard guard) {
    this.groups = groups;
    this.guard = guard;
  }

  /**
   * Starts a command.
   *
   * @param output where standard output and error go, in the order they are written
   * @throws IOException if no process could be started or the guard cannot be reached
   */
  GroupProcess launch(ContainerCommand command, Redirect output) throws IOException {
    Map<String, String> env = new HashMap<>();
    StringBuilder gate = new StringBuilder("read -r _ && exec </dev/null && exec");
    StringBuilder carried = new StringBuilder();
    command
        .env()
        .forEach((name, value) -> {
          if (SHELL_NAME.matcher(name).matches()) {
            env.put(name, value);
          } else {
            String carrier = CARRIER + env.size();
            env.put(carrier, value);
            gate.append(carried.isEmpty() ? " /usr/bin/env" : "").append(" -u ").append(carrier);
            carried
                .append(" '")
                .append(name.replace("'", "'\\''"))
                .append("'=\"$")
                .append(carrier)
                .append('"');
          }
        });
    gate.append(carried.isEmpty() ? "" : " --").append(carried).append(" \"$@\"");
    List<String> words =
        new ArrayList<>(List.of("setsid", "/bin/sh", "-c", gate.toString(), "probelet"));
    words.addAll(command.words());
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(command.workingDir().toFile())
            .redirectErrorStream(true)
            .redirectOutput(output);
    builder.environment().clear();
    builder.environment().putAll(env);
    return guarded(builder.start());
  }

  private GroupProcess guarded(Process started) throws IOException {
    try {
      guard.add(started.pid());
    } catch (IOException unguarded) {
      started.destroyForcibly();
      throw unguarded;
    }
    GroupProcess process = new GroupProcess(started, groups, () -> guard.remove(started.pid()));
    process.openGate();
    return process;
  }
}
