package io.probelet.cli;

import java.util.Arrays;

/**
 * The command line's entry where Probelet is a file that begins with {@code #!} and the path of a
 * JVM, as in the container image, which has no shell: the kernel puts that file's own path before
 * the user's arguments.
 */
final class ExecutableFile {
  private ExecutableFile() {}

  public static void main(String[] args) {
    Probelet.main(Arrays.copyOfRange(args, 1, args.length));
  }
}
