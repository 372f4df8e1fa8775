package io.probelet.runtime.process;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.runtime.confine.Confinement;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A container that runs as a local process.
 *
 * @param command program and first arguments, at least one entry, because there is no image with a
 *     default; {@code $(VAR)} is expanded from {@code env}
 * @param env in the order of the manifest; a value may refer to variables before it, and the last
 *     of several with the same name wins
 * @param workingDir where it runs; null means where the agent runs
 */
public record LocalContainer(
    ContainerSpec spec,
    List<String> command,
    List<String> args,
    List<EnvVar> env,
    @Nullable Path workingDir,
    Confinement confinement) {
  /**
   * Checks the command, and keeps unmodifiable copies of the lists.
   *
   * @throws IllegalArgumentException if there is no command
   */
  public LocalContainer {
    command = List.copyOf(command);
    args = List.copyOf(args);
    env = List.copyOf(env);
    if (command.isEmpty()) {
      throw new IllegalArgumentException(
          "container " + spec.name() + " has no command; images are not run here, so specify one");
    }
  }

  /** {@return its name, unique within the pod} */
  public String name() {
    return spec.name();
  }

  /** Whether it needs more than to run to count as started (W-8). */
  boolean hasStartupProbe() {
    return spec.probes().containsKey(ProbeKind.STARTUP);
  }

  /**
   * One entry of {@code env}.
   *
   * @param name never empty and without an equals sign
   * @param value as written, before expansion
   */
  public record EnvVar(String name, String value) {
    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if a process cannot have a variable of that name
     */
    public EnvVar {
      if (name.isEmpty() || name.indexOf('=') >= 0) {
        throw new IllegalArgumentException(
            "\"" + name + "\" cannot name a variable: it must not be empty or contain =");
      }
    }
  }
}
