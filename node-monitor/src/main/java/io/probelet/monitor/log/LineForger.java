package io.probelet.monitor.log;

import io.probelet.monitor.log.PatternAutomaton.AtBegin;
import io.probelet.monitor.log.PatternAutomaton.AtEnd;
import io.probelet.monitor.log.PatternAutomaton.Split;
import io.probelet.monitor.log.PatternAutomaton.State;
import io.probelet.monitor.log.PatternAutomaton.Take;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds names with which a record of a given format matches an expression. It follows all states of
 * the expression through the format in parallel; in a hole it uses any character that reaches a new
 * state. Callers verify the result with the real pattern.
 */
final class LineForger {
  private static final Text NOTHING = new Text(null, (char) 0);

  private final PatternAutomaton pattern;
  private final Budget budget;
  private final Map<KernelFormat.Hole, char[]> choices = new EnumMap<>(KernelFormat.Hole.class);

  /** The text so far, in reverse order. */
  private record Text(@Nullable Text before, char last) {}

  /** The step limit of all searches in one file: some seconds. */
  static final class Budget {
    private long left;

    Budget(long states) {
      left = states;
    }

    /** {@return whether a search was cut short, so that its result is unknown} */
    boolean isSpent() {
      return left <= 0;
    }
  }

  LineForger(PatternAutomaton pattern, Budget budget) {
    this.pattern = pattern;
    this.budget = budget;
  }

  /** {@return a matching line of that format; empty if none is found within the budget} */
  Optional<String> forge(KernelFormat format) {
    Reached reached = new Reached();
    reached.add(pattern.start(), NOTHING, true);
    for (KernelFormat.Part part : format.parts()) {
      KernelFormat.Hole hole = part.hole();
      if (hole != null) {
        reached = through(hole, reached);
      }
      for (int i = 0; i < part.literal().length() && !reached.isEmpty(); i++) {
        reached = reached.after(part.literal().charAt(i));
      }
    }
    return reached.matchAtEnd();
  }

  /** The shortest text to each state, of at least one character. */
  private Reached through(KernelFormat.Hole hole, Reached from) {
    char[] choice = choices.computeIfAbsent(hole, this::choice);
    Reached all = new Reached();
    Reached newest = from;
    for (int length = 0; length < hole.most() && !newest.isEmpty(); length++) {
      Reached next = newest.afterAny(choice);
      newest = all.addNew(next);
    }
    return all;
  }

  /** For each state, a character allowed in the hole that advances it; 0 if there is none. */
  private char[] choice(KernelFormat.Hole hole) {
    char[] choice = new char[pattern.size()];
    for (int state = 0; state < choice.length; state++) {
      choice[state] = pattern.state(state) instanceof Take take ? take.chars().any(hole::takes) : 0;
    }
    return choice;
  }

  /** The current states of a search, each with the text that leads to it. */
  private final class Reached {
    private final @Nullable Text[] texts = new @Nullable Text[pattern.size()];
    private int[] states = new int[16];
    private int count;

    boolean isEmpty() {
      return count == 0 || budget.isSpent();
    }

    /** Adds a state and all states reachable from it without a character. */
    void add(int state, Text text, boolean atBegin) {
      Deque<Integer> open = new ArrayDeque<>();
      open.push(state);
      while (!open.isEmpty()) {
        int next = open.pop();
        if (!put(next, text)) {
          continue;
        }
        State here = pattern.state(next);
        if (here instanceof Split(int one, int other)) {
          open.push(other);
          open.push(one);
        } else if (here instanceof AtBegin(int then) && atBegin) {
          open.push(then);
        }
      }
    }

    private boolean put(int state, Text text) {
      if (texts[state] != null) {
        return false;
      }
      budget.left--;
      texts[state] = text;
      if (count == states.length) {
        states = Arrays.copyOf(states, count * 2);
      }
      states[count++] = state;
      return true;
    }

    private Text text(int state) {
      return Objects.requireNonNull(texts[state]);
    }

    Reached after(char c) {
      Reached next = new Reached();
      for (int state : all()) {
        if (pattern.state(state) instanceof Take(CharSet chars, int then) && chars.contains(c)) {
          next.add(then, new Text(text(state), c), false);
        }
      }
      return next;
    }

    Reached afterAny(char[] choice) {
      Reached next = new Reached();
      for (int state : all()) {
        if (choice[state] != 0 && pattern.state(state) instanceof Take(_, int then)) {
          next.add(then, new Text(text(state), choice[state]), false);
        }
      }
      return next;
    }

    /** Adds the missing states; returns only these. */
    Reached addNew(Reached others) {
      Reached added = new Reached();
      for (int state : others.all()) {
        if (put(state, others.text(state))) {
          added.put(state, others.text(state));
        }
      }
      return added;
    }

    int[] all() {
      return Arrays.copyOf(states, count);
    }

    /** States that require the line's end are followed only here. */
    Optional<String> matchAtEnd() {
      for (int i = 0; i < count; i++) { // including those added during the loop
        if (pattern.state(states[i]) instanceof AtEnd(int then)) {
          add(then, text(states[i]), false);
        }
      }
      Text match = texts[pattern.matched()];
      return match == null || budget.isSpent() ? Optional.empty() : Optional.of(written(match));
    }

    private static String written(Text text) {
      StringBuilder line = new StringBuilder();
      for (Text at = text; at != null && at.before() != null; at = at.before()) {
        line.append(at.last());
      }
      return line.reverse().toString();
    }
  }
}
