package io.probelet.monitor.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds which of many short texts may occur in a line, in a single pass (Aho and Corasick, 1975).
 * It misses none that occurs.
 */
final class LiteralFinder {
  private static final int CHARACTERS = 256;

  private final byte[] columns = new byte[CHARACTERS];
  private final int width;
  private final char[] next;
  private final int[] @Nullable [] found;

  /** Takes texts of ASCII characters. */
  LiteralFinder(List<String> literals) {
    int used = 1; // column 0 stands for all characters that occur in no text
    for (String literal : literals) {
      for (int i = 0; i < literal.length(); i++) {
        if (columns[literal.charAt(i)] == 0) {
          columns[literal.charAt(i)] = (byte) used++;
        }
      }
    }
    width = used;
    int states = 1 + literals.stream().mapToInt(String::length).sum();
    if (states > Character.MAX_VALUE) {
      throw new IllegalArgumentException(
          "rules contain more than 65,000 characters of literal text");
    }
    next = new char[states * width];
    found = new int[states][];
    fill(literals);
  }

  private void fill(List<String> literals) {
    List<List<Integer>> ends = new ArrayList<>(List.of(new ArrayList<>()));
    for (int id = 0; id < literals.size(); id++) {
      int state = 0;
      for (int i = 0; i < literals.get(id).length(); i++) {
        int edge = state * width + columns[literals.get(id).charAt(i)];
        if (next[edge] == 0) {
          next[edge] = (char) ends.size();
          ends.add(new ArrayList<>());
        }
        state = next[edge];
      }
      ends.get(state).add(id);
    }
    int[] fallBack = new int[ends.size()];
    Deque<Integer> queue = new ArrayDeque<>(List.of(0));
    while (!queue.isEmpty()) {
      int state = queue.remove();
      ends.get(state).addAll(state == 0 ? List.of() : ends.get(fallBack[state]));
      for (int column = 0; column < width; column++) {
        int edge = state * width + column;
        int beside = state == 0 ? 0 : next[fallBack[state] * width + column];
        if (next[edge] == 0) {
          next[edge] = (char) beside;
        } else {
          fallBack[next[edge]] = beside;
          queue.add((int) next[edge]);
        }
      }
    }
    for (int state = 0; state < ends.size(); state++) {
      List<Integer> ids = ends.get(state);
      found[state] = ids.isEmpty() ? null : ids.stream().mapToInt(Integer::intValue).toArray();
    }
  }

  /** Reports the index of every text that occurs in the line, once per occurrence. */
  void find(String line, IntConsumer each) {
    // Characters beyond Latin 1 become question marks: this can only cause false matches.
    byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
    int state = 0;
    for (byte c : bytes) {
      state = next[state * width + columns[c & 0xff]];
      int[] ids = found[state];
      if (ids != null) {
        for (int id : ids) {
          each.accept(id);
        }
      }
    }
  }
}
