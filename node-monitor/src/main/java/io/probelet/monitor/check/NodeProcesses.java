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

/** The processes of the node, as far as a number and a time allow: tenants decide how many. */
final class NodeProcesses {
  /** A node may have 4 million. To read so many takes about two seconds. */
  static final int MAX = 100_000;

  /** A check has longer than that before it counts as hung. */
  private static final Duration LONGEST = Duration.ofSeconds(4);

  private static final int MAX_STAT = 4096;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");

  private NodeProcesses() {}

  /** Takes one process. */
  @FunctionalInterface
  interface Taker {
    /** Returns whether to go on to the next. */
    boolean take(Path process) throws IOException;
  }

  /** What a process says of itself. */
  record Stat(char state, String parent, long threads) {
    /** Whether it has died and was not reaped. */
    boolean isZombie() {
      return state == 'Z';
    }
  }

  /**
   * Takes one after the other.
   *
   * @return whether that were all
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

  /** What a check says that has not seen all. */
  static String limitText(int most) {
    return "there are more processes than can be read: the limit is %d of them, or %d s"
        .formatted(most, LONGEST.toSeconds());
  }

  /** Reads what a process says of itself; empty if it has ended. */
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
    // The state follows the name, which is in brackets and may hold anything.
    String[] words = line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1);
    if (words[0].length() != 1 || words.length < 2 || !NUMBER.matcher(words[1]).matches()) {
      return Optional.empty();
    }
    return Optional.of(new Stat(words[0].charAt(0), words[1], threads(words)));
  }

  /** The 20th of all, of which two come before the state. */
  private static long threads(String[] words) {
    try {
      return words.length > 17 ? Long.parseLong(words[17]) : 1;
    } catch (NumberFormatException strange) {
      return 1;
    }
  }
}
