package io.probelet.runtime.process;

import io.probelet.probe.EnvExpansion;
import io.probelet.probe.EnvExpansion.TooLargeException;
import io.probelet.runtime.confine.ConfinementPlan.Identity;
import io.probelet.runtime.process.LocalContainer.EnvVar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The command of a container with arguments, environment and directory, all references resolved.
 *
 * <p>A container does not inherit the agent's environment, which may contain secrets. Exceptions,
 * if the agent has them: {@code PATH}, {@code HOME}, {@code TMPDIR}, {@code LANG}, {@code LC_ALL}
 * and {@code TZ}, which programs need on this machine. A container of another user gets that user's
 * {@code HOME} and no {@code TMPDIR}. {@code HOSTNAME} is the pod's name, as in Kubernetes. The
 * manifest's variables override all of these.
 */
record ContainerCommand(List<String> words, Map<String, String> env, Path workingDir) {
  private static final List<String> TAKEN_OVER =
      List.of("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ");
  private static final int OWNER_EXECUTES = 0100;
  private static final int GROUP_OR_OTHERS_EXECUTE = 0011;
  private static final String USUAL_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  ContainerCommand {
    words = List.copyOf(words);
    env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
  }

  /** Why a command cannot be run. */
  record Refusal(int exitCode, String reason, String message) {
    private static final int CANNOT_RUN = 128;
    private static final int EXEC_FAILED = 255;
    private static final int NOT_FOUND = 127;

    /** The reason for a container that was started and ended by itself. */
    private static final String EXITS = "Error";

    /** The command itself cannot be run. */
    Refusal(int exitCode, String message) {
      this(exitCode, "ContainerCannotRun", message);
    }

    /**
     * The runtime starts it, but the kernel cannot execute its program: it exits with a message
     * (H-9).
     */
    static Refusal badFormat(String program) {
      return new Refusal(EXEC_FAILED, EXITS, "exec " + program + ": exec format error");
    }

    /** The same for a script; the exit code is a shell's. */
    static Refusal withoutInterpreter(String program, String interpreter) {
      return new Refusal(
          NOT_FOUND,
          EXITS,
          "exec %s: its interpreter %s does not exist".formatted(program, interpreter));
    }

    boolean exitsByItself() {
      return reason.equals(EXITS);
    }

    /** It could run, but its restrictions cannot be enforced. */
    static Refusal unconfined(String message) {
      return new Refusal(CANNOT_RUN, Stage.Ended.MISCONFIGURED, message);
    }
  }

  /**
   * Resolves all references.
   *
   * @param identity the user it runs as; null for the agent's own
   * @throws TooLargeException if the result is larger than a program's arguments can be
   */
  static ContainerCommand of(
      LocalContainer container,
      String hostname,
      Map<String, String> agentEnvironment,
      @Nullable Identity identity)
      throws TooLargeException {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("PATH", USUAL_PATH);
    for (String name : TAKEN_OVER) {
      String value = agentEnvironment.get(name);
      if (value != null) {
        env.put(name, value);
      }
    }
    if (identity != null) { // another user cannot use the agent's own folders
      env.put("HOME", identity.home());
      env.remove("TMPDIR");
    }
    env.put("HOSTNAME", hostname);
    Map<String, String> declared = new HashMap<>();
    long total = 0;
    for (EnvVar variable : container.env()) {
      String value = EnvExpansion.expand(variable.value(), declared);
      total += value.length();
      if (total > EnvExpansion.MAX_TOTAL_CHARS) {
        throw new TooLargeException(
            "after expansion the variables have more than "
                + EnvExpansion.MAX_TOTAL_CHARS
                + " characters");
      }
      declared.put(variable.name(), value);
      env.put(variable.name(), value);
    }
    List<String> words = new ArrayList<>(EnvExpansion.expand(container.command(), declared));
    words.addAll(EnvExpansion.expand(container.args(), declared));
    Path dir = container.workingDir();
    return new ContainerCommand(words, env, (dir == null ? Path.of("") : dir).toAbsolutePath());
  }

  /**
   * {@return why the command cannot run, as far as that is known in advance}
   *
   * @param identity the user it runs as; null for the agent's own
   */
  Optional<Refusal> refusal(@Nullable Identity identity) {
    if (!Files.isDirectory(workingDir)) {
      return Optional.of(new Refusal(128, "workingDir " + workingDir + " is not a directory"));
    }
    String program = words.getFirst();
    if (program.isEmpty()) { // in PATH it would mean the folder itself
      return Optional.of(new Refusal(127, "the command is empty"));
    }
    if (program.indexOf('/') >= 0) {
      return refusal(workingDir.resolve(program), program, identity);
    }
    String path = env.getOrDefault("PATH", "");
    Optional<Refusal> worst = Optional.empty();
    for (String dir : path.split(":", -1)) {
      Path candidate = workingDir.resolve(dir).resolve(program);
      Optional<Refusal> here = refusal(candidate, candidate.toString(), identity);
      if (here.isEmpty() || here.get().exitsByItself()) {
        return here;
      }
      if (here.get().exitCode() == 126 && worst.isEmpty()) {
        worst = here;
      }
    }
    return worst.or(
        () -> Optional.of(new Refusal(127, "command " + program + " is not in PATH " + path)));
  }

  private static Optional<Refusal> refusal(Path file, String shown, @Nullable Identity identity) {
    if (!Files.exists(file)) {
      return Optional.of(new Refusal(127, "command " + shown + " does not exist"));
    }
    if (!Files.isRegularFile(file) || !Files.isExecutable(file) || isOthers(file, identity)) {
      return Optional.of(new Refusal(126, "command " + shown + " is not executable"));
    }
    Optional<String> interpreter = ExecFormat.missingInterpreter(file);
    if (interpreter.isPresent()) {
      return Optional.of(Refusal.withoutInterpreter(shown, interpreter.get()));
    }
    return ExecFormat.ofKernel().refuses(file)
        ? Optional.of(Refusal.badFormat(shown))
        : Optional.empty();
  }

  /** Whether only users other than this one may execute a file. Groups are not considered. */
  private static boolean isOthers(Path file, @Nullable Identity identity) {
    if (identity == null || identity.user() == 0) {
      return false;
    }
    try {
      int mode = (int) Files.getAttribute(file, "unix:mode");
      boolean owns = identity.user() == (int) Files.getAttribute(file, "unix:uid");
      return (mode & (owns ? OWNER_EXECUTES : GROUP_OR_OTHERS_EXECUTE)) == 0;
    } catch (IOException vanished) {
      return false; // the message of a shell
    }
  }
}
