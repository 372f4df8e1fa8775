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
 * A program of another root directory, such as the node's where that is mounted in a container. It
 * is started by a small JVM, which makes itself the leader of a session, enters the root, becomes
 * the user and then becomes the program: that takes no program of the container, which may have
 * none. It costs some tenths of a second of processor time.
 *
 * @param carried a file of ours that is run there, in place of the first of the words; empty for
 *     one that is there
 */
public record RootCommand(Path root, Account account, Optional<Path> carried, List<String> words) {
  /** What it says on standard error begins so if it could not become the program. */
  public static final String COMPLAINT = "probelet: ";

  /** What it exits with then, like a shell. */
  public static final int FAILED = 127;

  private static final List<String> SMALL =
      List.of(
          "-Xmx16m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:-UsePerfData",
          "-Xshare:auto",
          "-Xlog:disable");

  /** Keeps an unmodifiable copy of the words. */
  public RootCommand {
    words = List.copyOf(words);
  }

  /**
   * {@return the same as what is started}
   *
   * @param env all variables of the program
   * @throws IOException if there is no JVM to start
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

  /** Those of this JVM without which its archive of classes would not fit. */
  private static Stream<String> options() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option ->
            option.startsWith("-XX:")
                || option.startsWith("--enable-native-access=")
                || option.startsWith("--sun-misc-unsafe-memory-access="));
  }
}
