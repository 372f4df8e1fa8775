package io.probelet.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Enters another root directory and becomes a program there, in the JVM that {@link RootCommand}
 * starts. The changes to this process are irreversible.
 */
final class RootEntry {
  private static final int ROOT = 0;
  private static final int UID = 1;
  private static final int GID = 2;
  private static final int CARRIED = 3;
  private static final int WORDS = 4;

  private static final Path OPEN_FILES = Path.of("/proc/self/fd");
  private static final int LAST_STREAM = 2;
  private static final int NO_FILE = -1;

  private RootEntry() {}

  public static void main(String[] args) {
    try {
      become(args);
    } catch (IOException refused) {
      System.err.println(RootCommand.COMPLAINT + refused.getMessage());
    }
    System.err.flush();
    Runtime.getRuntime().halt(RootCommand.FAILED);
  }

  private static void become(String[] args) throws IOException {
    RootCalls calls = new RootCalls();
    Account account = new Account(Long.parseLong(args[UID]), Long.parseLong(args[GID]), "/");
    boolean other = !account.isSameAs(Account.current());
    int carried = args[CARRIED].isEmpty() ? NO_FILE : calls.open(args[CARRIED]);
    closeAllBut(carried, calls);
    List<String> words = Arrays.asList(args).subList(WORDS, args.length);
    RootCalls.Program program = calls.prepare(words, System.getenv());
    calls.leadSession();
    calls.enter(args[ROOT]);
    if (other) {
      calls.switchUser(account);
    }
    calls.setNoNewPrivileges();
    calls.unblockSignals();
    System.out.write(RootOutput.BEGINS);
    System.out.flush();
    calls.execute(program, carried);
  }

  /** The program must not inherit files opened by this JVM. */
  private static void closeAllBut(int carried, RootCalls calls) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(OPEN_FILES)) {
      for (Path each : files) {
        int file = Integer.parseInt(each.getFileName().toString());
        if (file > LAST_STREAM && file != carried) {
          calls.closeAtExec(file);
        }
      }
    }
  }
}
