package io.probelet.monitor.log;

import io.probelet.monitor.log.LineFormat.ReadLine;
import io.probelet.monitor.rule.LinePattern;
import io.probelet.monitor.rule.Monitor.LogRule;
import io.probelet.monitor.track.Evidence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.StringJoiner;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Matches the newest lines of one log against its rules. Not thread-safe. */
public final class LogMatcher {
  private static final long NEVER = Long.MIN_VALUE / 2;

  private final List<Search> searches = new ArrayList<>();
  private final LiteralFinder literals;
  private final Search[] byLiteral;
  private final IntConsumer mark = this::mark;
  private final LineFormat format;
  private final ReadLine.LogEntry[] entries;
  private long count;

  /**
   * The most lines to which one expression reaches back; unlimited if an expression has no required
   * literal.
   */
  private final long reach;

  private long seen = NEVER;

  /** Receives the results of a line. */
  public interface Listener {
    /**
     * A rule's pattern matched.
     *
     * @param text the matched lines, from the one where the match begins to the newest, with the
     *     rule's suffix, cleaned
     * @param device the device they are about; empty if they name none (B-15)
     */
    void matched(int rule, String text, String device, Instant at);

    /**
     * A rule's clear pattern matched.
     *
     * @param device the device it is about; empty if it names none
     */
    void cleared(int rule, String device, Instant at);

    /**
     * A line could not be parsed, although it may be an entry.
     *
     * @param why the problem with its time, with the text found; not cleaned
     */
    void unread(String why);
  }

  /** One expression, and when a line last contained its required literal. */
  private static final class Search {
    private final int rule;
    private final LinePattern pattern;
    private final @Nullable String suffix;
    private final UnaryOperator<String> device;
    private long seen = NEVER;

    /** A null suffix marks a clear pattern. */
    Search(int rule, LinePattern pattern, @Nullable String suffix, UnaryOperator<String> device) {
      this.rule = rule;
      this.pattern = pattern;
      this.suffix = suffix;
      this.device = device;
    }
  }

  /**
   * Creates a matcher that has seen no line.
   *
   * @param bufferSize how many lines a pattern can span, 1 or more
   * @param format reads time and message from lines
   */
  public LogMatcher(List<LogRule> rules, int bufferSize, LineFormat format) {
    this.format = format;
    entries = new ReadLine.LogEntry[bufferSize];
    for (int rule = 0; rule < rules.size(); rule++) {
      LogRule each = rules.get(rule);
      searches.add(new Search(rule, each.pattern(), each.suffix(), each::deviceIn));
      LinePattern clear = each.clear();
      if (clear != null) {
        searches.add(new Search(rule, clear, null, clear::device));
      }
    }
    List<String> texts = new ArrayList<>();
    List<Search> owners = new ArrayList<>();
    long farthest = 0;
    for (Search search : searches) {
      farthest = Math.max(farthest, reach(search));
      for (String literal : search.pattern.literals()) {
        texts.add(literal);
        owners.add(search);
      }
    }
    literals = new LiteralFinder(texts);
    byLiteral = owners.toArray(Search[]::new);
    reach = farthest;
  }

  /**
   * Takes the next line. A line that is not an entry neither matches nor takes a place in the
   * buffer.
   *
   * @param line the line without its end
   * @param at when it was logged, as far as its source knows, else when it was read
   * @param listener receives the matches, in the order of the rules
   * @return whether anything matched
   */
  public boolean take(String line, Instant at, Listener listener) {
    ReadLine reading = format.read(line, at);
    if (reading instanceof ReadLine.LogEntry entry) {
      return take(entry, listener);
    }
    if (reading instanceof ReadLine.NoTime(String why)) {
      listener.unread(why);
    }
    return false;
  }

  private boolean take(ReadLine.LogEntry entry, Listener listener) {
    entries[(int) (count % entries.length)] = entry;
    literals.find(entry.message(), mark);
    boolean any = false;
    if (count - seen < reach) { // else none could match
      for (Search search : searches) {
        any |= count - search.seen < reach(search) && report(search, entry, listener);
      }
    }
    count++;
    return any;
  }

  private void mark(int literal) {
    byLiteral[literal].seen = count;
    seen = count;
  }

  /** How many lines an expression can match after its literal was seen. */
  private long reach(Search search) {
    if (search.pattern.literals().isEmpty()) {
      return Long.MAX_VALUE;
    }
    return search.pattern.scope().newestLineOnly() ? 1 : entries.length;
  }

  private boolean report(Search search, ReadLine.LogEntry newest, Listener listener) {
    boolean newestOnly = search.pattern.scope().newestLineOnly();
    String text = newestOnly ? newest.message() : window(); // the last lines
    OptionalInt start = search.pattern.find(text);
    if (start.isEmpty()) {
      return false;
    }
    String lines = newestOnly ? text : text.substring(lineStart(start.getAsInt()));
    String device = search.device.apply(lines);
    if (search.suffix == null) {
      listener.cleared(search.rule, device, newest.at());
    } else {
      // If the lines are too long to show, only the match is shown.
      String shown = lines.length() > Evidence.MAX_CHARS ? text.substring(start.getAsInt()) : lines;
      String suffix = search.suffix.isEmpty() ? "" : "; " + search.suffix;
      listener.matched(search.rule, Evidence.text(shown + suffix), device, newest.at());
    }
    return true;
  }

  /** The start of the line that contains an index of the window. */
  private int lineStart(int place) {
    int start = 0;
    for (long number = oldest(); number < count; number++) {
      int next = start + entry(number).message().length() + 1;
      if (next > place) {
        break;
      }
      start = next;
    }
    return start;
  }

  private long oldest() {
    return Math.max(0, count - entries.length + 1);
  }

  private ReadLine.LogEntry entry(long number) {
    return entries[(int) (number % entries.length)];
  }

  private String window() {
    StringJoiner joined = new StringJoiner("\n");
    for (long number = oldest(); number <= count; number++) {
      joined.add(entry(number).message());
    }
    return joined.toString();
  }
}
