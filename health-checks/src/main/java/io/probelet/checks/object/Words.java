package io.probelet.checks.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The words of a name such as {@code ReplicaFailure}, {@code in-progress} or {@code ERROR}. */
final class Words {
  /** No name that means something is longer; what follows is ignored. */
  private static final int LONGEST = 256;

  private Words() {}

  /** {@return the words in lower case; of a name with a prefix, as labels have, those behind it} */
  static List<String> of(String name) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    int end = Math.min(name.length(), LONGEST);
    for (int i = name.lastIndexOf('/', end - 1) + 1; i < end; i++) {
      char c = name.charAt(i);
      if (!Character.isLetter(c) || startsWord(name, i, end)) {
        take(word, words);
      }
      if (Character.isLetter(c)) {
        word.append(c);
      }
    }
    take(word, words);
    return words;
  }

  /** An upper case letter behind a lower case one, or the last one of an acronym before a word. */
  private static boolean startsWord(String name, int i, int end) {
    if (i == 0 || !Character.isUpperCase(name.charAt(i))) {
      return false;
    }
    return Character.isLowerCase(name.charAt(i - 1))
        || (Character.isUpperCase(name.charAt(i - 1))
            && i + 1 < end
            && Character.isLowerCase(name.charAt(i + 1)));
  }

  private static void take(StringBuilder word, List<String> words) {
    if (!word.isEmpty()) {
      words.add(word.toString().toLowerCase(Locale.ROOT));
      word.setLength(0);
    }
  }
}
