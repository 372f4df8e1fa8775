package io.probelet.process;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A program to run in another root directory, such as the node's root mounted in a container. A
 * small JVM creates a session, enters the root, switches to the user and then becomes the program.
 * This needs no program of the container, which may have none. It costs about a tenth of a second
 * of processor time, before the program begins: {@link RootOutput} tells when.
 *
 * @param carried a file of this filesystem to run there, in place of the first word; empty for a
 *     program there
 */
public record RootCommand(Path root, Account account, Optional<Path> carried, List<String> words) {
  /** The prefix of its error messages if it could not become the program. */
  public static final String COMPLAINT = "probelet: ";

  /** The exit codes in that case, as of a shell. */
  public static final int FAILED = 127;

  private static final List<String> SMALL =
      List.of(
          "-Xmx16m",
          "-XX:+UseSerialGC",
          "-Xint", // it ends before compiled code would pay
          "-XX:-UsePerfData",
          "-Xshare:auto",
          "-Xlog:disable");

  /** Keeps an unmodifiable copy of the words. */
  public RootCommand {
    words = List.copyOf(words);
  }

  /**
   * {@return the command to start}
   *
   * @param env all environment variables of the program
   * @throws IOException if the JVM does not exist
   */
  public GroupCommand with(Map<String, String> env) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    if (!Programs.isProgram(java)) {
      throw new IOException("cannot enter " + root + ": " + java + " does not exist");
    }
    List<String> all = new ArrayList<>(List.of(java.toString()));
    all.addAll(options().toList());
    all.addAll(SMALL);
    all.addAll(List.of("-cp", System.getProperty("java.class.path")));
    all.add(RootEntry.class.getName());
    all.add(root.toString());
    all.add(Long.toString(account.uid()));
    all.add(Long.toString(account.gid()));
    all.add(carried.map(Path::toString).orElse(""));
    all.addAll(words);
    return new GroupCommand(all, env, Path.of("").toAbsolutePath());
  }

  /** The options of this JVM that its class archive requires. */
  private static Stream<String> options() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option ->
            option.startsWith("-XX:")
                || option.startsWith("--enable-native-access=")
                || option.startsWith("--sun-misc-unsafe-memory-access="));
  }
}
