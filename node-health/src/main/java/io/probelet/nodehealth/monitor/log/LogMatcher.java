package io.probelet.nodehealth.monitor.log;

import io.probelet.nodehealth.monitor.log.LineFormat.LogEntry;
import io.probelet.nodehealth.monitor.rule.LinePattern;
import io.probelet.nodehealth.monitor.rule.LogRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Matches the newest lines of one log against its rules. Not safe for use by several threads. */
public final class LogMatcher {
  private static final long NEVER = Long.MIN_VALUE / 2;

  private final List<Search> searches = new ArrayList<>();
  private final LiteralFinder literals;
  private final Search[] byLiteral;
  private final LineFormat format;
  private final String[] lines;
  private final Instant[] times;
  private long count;

  /** Takes what a line came to. */
  public interface Listener {
    /**
     * A rule's pattern matched.
     *
     * @param rule index of the rule
     * @param text what matched, with the rule's suffix, cleaned
     * @param at when it was logged
     */
    void matched(int rule, String text, Instant at);

    /**
     * A rule's clear pattern matched.
     *
     * @param rule index of the rule
     */
    void cleared(int rule);
  }

  /** One expression, and when a line last held what it cannot do without. */
  private static final class Search {
    private final int rule;
    private final LinePattern pattern;
    private final @Nullable String suffix;
    private long seen = NEVER;

    /** A null suffix stands for a clear pattern. */
    Search(int rule, LinePattern pattern, @Nullable String suffix) {
      this.rule = rule;
      this.pattern = pattern;
      this.suffix = suffix;
    }
  }

  /**
   * Creates a matcher that has seen no line.
   *
   * @param rules the rules
   * @param bufferSize how many lines a pattern can span, 1 or more
   * @param format tells time and message of lines
   */
  public LogMatcher(List<LogRule> rules, int bufferSize, LineFormat format) {
    this.format = format;
    lines = new String[bufferSize];
    times = new Instant[bufferSize];
    for (int rule = 0; rule < rules.size(); rule++) {
      searches.add(new Search(rule, rules.get(rule).pattern(), rules.get(rule).suffix()));
      LinePattern clear = rules.get(rule).clear();
      if (clear != null) {
        searches.add(new Search(rule, clear, null));
      }
    }
    List<String> texts = new ArrayList<>();
    List<Search> owners = new ArrayList<>();
    for (Search search : searches) {
      for (String literal : search.pattern.literals()) {
        texts.add(literal);
        owners.add(search);
      }
    }
    literals = new LiteralFinder(texts);
    byLiteral = owners.toArray(Search[]::new);
  }

  /**
   * Takes the next line.
   *
   * @param line the line without its end
   * @param at when it was logged, as far as its source knows, else when it was read
   * @param listener told of what matched, in the order of the rules
   * @return whether anything matched
   */
  public boolean take(String line, Instant at, Listener listener) {
    int slot = (int) (count % lines.length);
    lines[slot] = line;
    times[slot] = at;
    literals.find(line, literal -> byLiteral[literal].seen = count);
    boolean any = false;
    for (Search search : searches) {
      any |= couldMatch(search) && tell(search, listener);
    }
    count++;
    return any;
  }

  private boolean couldMatch(Search search) {
    if (search.pattern.literals().isEmpty()) {
      return true;
    }
    long reach = search.pattern.scope().newestLineOnly() ? 1 : lines.length;
    return count - search.seen < reach;
  }

  private boolean tell(Search search, Listener listener) {
    Optional<LogEntry> newest = entry(count);
    if (newest.isEmpty()) {
      return false;
    }
    String text =
        search.pattern.scope().newestLineOnly() ? newest.get().message() : window();
    Optional<String> match = search.pattern.find(text);
    if (match.isEmpty()) {
      return false;
    }
    if (search.suffix == null) {
      listener.cleared(search.rule);
    } else {
      String suffix = search.suffix.isEmpty() ? "" : "; " + search.suffix;
      listener.matched(search.rule, CleanText.of(match.get() + suffix), newest.get().at());
    }
    return true;
  }

  private Optional<LogEntry> entry(long number) {
    int slot = (int) (number % lines.length);
    return format.read(lines[slot], times[slot]);
  }

  private String window() {
    StringJoiner joined = new StringJoiner("\n");
    for (long number = Math.max(0, count - lines.length + 1); number <= count; number++) {
      entry(number).ifPresent(entry -> joined.add(entry.message()));
    }
    return joined.toString();
  }
}
