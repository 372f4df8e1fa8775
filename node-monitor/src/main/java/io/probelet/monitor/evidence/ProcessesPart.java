package io.probelet.monitor.evidence;

import io.probelet.monitor.check.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The number of processes per state, and the names of blocked ones. Arguments are left out, since
 * they may contain secrets (ACT-106).
 */
record ProcessesPart(Machine machine) implements EvidenceCollector {
  private static final int MAX_PROCESSES = 100_000;
  private static final int MAX_NAMED = 1000;
  private static final int MAX_HIGHLIGHTED = 4;
  private static final char BLOCKED = 'D';
  private static final char DEAD = 'Z';

  /** A few zombies are normal. */
  private static final int MANY_DEAD = 20;

  /** One blocked process; for other states only the number counts. */
  private record Named(char state, String name, String pid, String parent, String waitsIn) {
    @Override
    public String toString() {
      return "%s %s pid=%s ppid=%s%s"
          .formatted(state, name, pid, parent, waitsIn.isEmpty() ? "" : " wchan=" + waitsIn);
    }
  }

  @Override
  public void collect(EvidenceOutput out) throws IOException {
    machine.requireNodeView("processes");
    Map<Character, Integer> counts = new TreeMap<>();
    List<Named> named = new ArrayList<>();
    int read = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(machine.proc(), "[0-9]*")) {
      Iterator<Path> each = all.iterator();
      while (read < MAX_PROCESSES && each.hasNext() && !Thread.currentThread().isInterrupted()) {
        read++;
        count(each.next(), counts, named);
      }
      if (each.hasNext()) {
        out.missing("only the first %d processes were read".formatted(read));
      }
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    }
    out.line("processes=" + counts.values().stream().mapToInt(Integer::intValue).sum());
    counts.forEach((state, count) -> out.line("state " + state + " " + count));
    named.forEach(each -> out.line(each.toString()));
    highlight(counts, named, out);
  }

  private static void count(Path process, Map<Character, Integer> counts, List<Named> named)
      throws IOException {
    String stat = stat(process);
    // The state follows the name, which is in parentheses and may contain anything.
    int open = stat.indexOf('(');
    int close = stat.lastIndexOf(')');
    if (open < 0 || close < open || close + 2 >= stat.length()) {
      return; // it has ended
    }
    char state = stat.charAt(close + 2);
    counts.merge(state, 1, Integer::sum);
    if ((state == BLOCKED || state == DEAD) && named.size() < MAX_NAMED) {
      String[] words = stat.substring(close + 2).split(" ", 3);
      named.add(
          new Named(
              state,
              stat.substring(open + 1, close),
              String.valueOf(process.getFileName()),
              words.length > 1 ? words[1] : "",
              state == BLOCKED ? waitsIn(process) : ""));
    }
  }

  private static String stat(Path process) throws IOException {
    try {
      return Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException gone) {
      return "";
    } catch (IOException gone) {
      if (String.valueOf(gone.getMessage()).contains("No such process")) {
        return "";
      }
      throw gone;
    }
  }

  /** The kernel function in which it waits; empty if not permitted. */
  private static String waitsIn(Path process) {
    try {
      String function = Files.readString(process.resolve("wchan")).strip();
      return function.equals("0") ? "" : function;
    } catch (IOException hidden) {
      return "";
    }
  }

  private static void highlight(
      Map<Character, Integer> counts, List<Named> named, EvidenceOutput out) {
    int blocked = counts.getOrDefault(BLOCKED, 0);
    if (blocked > 0) {
      out.highlight(
          "%d blocked: %s"
              .formatted(
                  blocked,
                  named.stream()
                      .filter(each -> each.state() == BLOCKED)
                      .limit(MAX_HIGHLIGHTED)
                      .map(each ->
                          each.waitsIn().isEmpty()
                              ? each.name()
                              : each.name() + " in " + each.waitsIn())
                      .collect(Collectors.joining(", "))));
    }
    if (counts.getOrDefault(DEAD, 0) > MANY_DEAD) {
      out.highlight(counts.get(DEAD) + " zombie processes");
    }
  }
}
