package io.probelet.monitor.check;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Iterates over the processes of the node, up to a number and a time, since tenants determine how
 * many there are.
 */
final class NodeProcesses {
  /** A node may have 4 million. To read so many takes about two seconds. */
  static final int MAX = 100_000;

  /** Shorter than the timeouts of the checks. */
  private static final Duration LONGEST = Duration.ofSeconds(4);

  private static final int MAX_STAT = 4096;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");

  private NodeProcesses() {}

  /** Takes one process. */
  @FunctionalInterface
  interface Taker {
    /** Returns whether to continue. */
    boolean take(Path process) throws IOException;
  }

  /** The stat fields of a process. */
  record Stat(char state, String parent, long threads) {
    /** Whether it is a zombie. */
    boolean isZombie() {
      return state == 'Z';
    }
  }

  /**
   * Visits each process.
   *
   * @return whether all processes were visited
   * @throws IOException if they cannot be listed; the message is for the user
   */
  static boolean each(Machine machine, Taker taker) throws IOException {
    return each(machine, MAX, taker);
  }

  static boolean each(Machine machine, int most, Taker taker) throws IOException {
    long start = machine.time().nanoTime();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(machine.proc(), "[0-9]*")) {
      Iterator<Path> each = all.iterator();
      for (int count = 0; each.hasNext(); count++) {
        if (count == most
            || machine.time().nanoTime() - start > LONGEST.toNanos()
            || Thread.currentThread().isInterrupted()
            || !taker.take(each.next())) {
          return false;
        }
      }
      return true;
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    }
  }

  /** The message of a check that has not seen all. */
  static String limitText(int most) {
    return "too many processes to count: the limit is %d processes or %d s"
        .formatted(most, LONGEST.toSeconds());
  }

  /** Reads the stat of a process; empty if it has ended. */
  static Optional<Stat> stat(Path process) throws IOException {
    String line;
    try (InputStream in = Files.newInputStream(process.resolve("stat"))) {
      line = new String(in.readNBytes(MAX_STAT), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    } catch (IOException gone) {
      if (String.valueOf(gone.getMessage()).contains("No such process")) {
        return Optional.empty();
      }
      throw gone;
    }
    // The state follows the name, which is in parentheses and may contain anything.
    String[] words = line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1);
    if (words[0].length() != 1 || words.length < 2 || !NUMBER.matcher(words[1]).matches()) {
      return Optional.empty();
    }
    return Optional.of(new Stat(words[0].charAt(0), words[1], threads(words)));
  }

  /** The 20th field of all; two come before the state. */
  private static long threads(String[] words) {
    try {
      return words.length > 17 ? Long.parseLong(words[17]) : 1;
    } catch (NumberFormatException strange) {
      return 1;
    }
  }
}
