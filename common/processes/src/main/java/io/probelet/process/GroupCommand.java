package io.probelet.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A command to start as leader of a process group.
 *
 * @param words the program and its arguments, passed unchanged: no shell, no quoting. The program
 *     must create the group itself, as setsid(1) does; {@link #leading} prepends it
 * @param env all its environment variables
 */
public record GroupCommand(List<String> words, Map<String, String> env, Path workingDir) {
  private static final String MAKE_SESSION = "setsid";

  /**
   * Checks that there is a program.
   *
   * @throws IllegalArgumentException if there are no words
   */
  public GroupCommand {
    words = List.copyOf(words);
    env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
    if (words.isEmpty()) {
      throw new IllegalArgumentException("a command needs a program");
    }
  }

  /**
   * Creates a command that leads a session, and thereby a group, in this program's directory.
   *
   * @param env all its environment variables
   * @throws IOException if the program does not exist
   */
  public static GroupCommand leading(List<String> words, Map<String, String> env)
      throws IOException {
    String program = words.getFirst();
    if (program.contains("/")) {
      if (!Programs.isProgram(Path.of(program))) {
        throw new IOException(program + " does not exist or is not executable");
      }
    } else if (Programs.find(program, env.getOrDefault("PATH", "")).isEmpty()) {
      throw new IOException(program + " is not in PATH " + env.getOrDefault("PATH", ""));
    }
    List<String> all = new ArrayList<>(List.of(MAKE_SESSION));
    all.addAll(words);
    return new GroupCommand(all, env, Path.of("").toAbsolutePath());
  }
}
