package io.probelet.monitor.log;

import io.probelet.monitor.log.PatternAutomaton.AtBegin;
import io.probelet.monitor.log.PatternAutomaton.AtEnd;
import io.probelet.monitor.log.PatternAutomaton.Split;
import io.probelet.monitor.log.PatternAutomaton.State;
import io.probelet.monitor.log.PatternAutomaton.Take;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds names with which a record of a given format matches an expression. It follows all states of
 * the expression at once through the format; in a hole it goes on with whatever character leads on.
 * Whoever uses a line matches it first.
 */
final class LineForger {
  private final PatternAutomaton pattern;

  /** What was read, backwards; null for nothing. */
  private record Text(@Nullable Text before, char last) {}

  LineForger(PatternAutomaton pattern) {
    this.pattern = pattern;
  }

  /** {@return a line of that format that matches; empty if no names make one} */
  Optional<String> forge(KernelFormat format) {
    Map<Integer, Optional<Text>> reached = new LinkedHashMap<>();
    follow(pattern.start(), Optional.empty(), true, reached);
    for (KernelFormat.Part part : format.parts()) {
      KernelFormat.Hole hole = part.hole();
      if (hole != null) {
        reached = through(hole, reached);
      }
      for (int i = 0; i < part.literal().length(); i++) {
        char c = part.literal().charAt(i);
        Map<Integer, Optional<Text>> next = new LinkedHashMap<>();
        reached.forEach((state, text) -> {
          if (pattern.state(state) instanceof Take(CharSet chars, int then) && chars.contains(c)) {
            follow(then, Optional.of(new Text(text.orElse(null), c)), false, next);
          }
        });
        reached = next;
      }
    }
    return atEnd(reached);
  }

  /** By the fewest characters to each state, but one at least. */
  private Map<Integer, Optional<Text>> through(
      KernelFormat.Hole hole, Map<Integer, Optional<Text>> from) {
    Map<Integer, Optional<Text>> all = new LinkedHashMap<>();
    Map<Integer, Optional<Text>> newest = from;
    for (int length = 0; length < hole.most() && !newest.isEmpty(); length++) {
      Map<Integer, Optional<Text>> next = new LinkedHashMap<>();
      newest.forEach((state, text) -> {
        if (pattern.state(state) instanceof Take(CharSet chars, int then)) {
          char c = chars.any(hole::takes);
          if (c != 0) {
            follow(then, Optional.of(new Text(text.orElse(null), c)), false, next);
          }
        }
      });
      next.keySet().removeAll(all.keySet());
      all.putAll(next);
      newest = next;
    }
    return all;
  }

  /** Adds the states that are reached without a further character. */
  private void follow(
      int state, Optional<Text> text, boolean atBegin, Map<Integer, Optional<Text>> into) {
    Deque<Integer> open = new ArrayDeque<>();
    open.push(state);
    while (!open.isEmpty()) {
      int next = open.pop();
      if (into.putIfAbsent(next, text) != null) {
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

  /** Only here are the states taken that ask for the line's end. */
  private Optional<String> atEnd(Map<Integer, Optional<Text>> reached) {
    Map<Integer, Optional<Text>> last = new LinkedHashMap<>(reached);
    Deque<Integer> open = new ArrayDeque<>(reached.keySet());
    while (!open.isEmpty()) {
      int state = open.pop();
      if (pattern.state(state) instanceof AtEnd(int then)) {
        Map<Integer, Optional<Text>> more = new LinkedHashMap<>();
        follow(then, last.getOrDefault(state, Optional.empty()), false, more);
        more.forEach((number, text) -> {
          if (last.putIfAbsent(number, text) == null) {
            open.push(number);
          }
        });
      }
    }
    return last.containsKey(pattern.matched())
        ? Optional.of(written(last.get(pattern.matched())))
        : Optional.empty();
  }

  private static String written(Optional<Text> text) {
    StringBuilder line = new StringBuilder();
    for (Text at = text.orElse(null); at != null; at = at.before()) {
      line.append(at.last());
    }
    return line.reverse().toString();
  }
}
