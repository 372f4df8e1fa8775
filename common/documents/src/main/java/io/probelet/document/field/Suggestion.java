package io.probelet.document.field;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests a known name for an unknown one. */
public final class Suggestion {
  private static final int LONGEST = 60;
  private static final int SHORTEST_STEM = 5;

  private Suggestion() {}

  /**
   * {@return the nearest name within one or two typing errors, or else one that is a prefix or
   * extension of the found name, as {@code periodSeconds} of {@code period}}
   */
  public static Optional<String> of(String found, Collection<String> known) {
    return found.length() > LONGEST
        ? Optional.empty()
        : misspelled(found, known)
            .or(() -> known.stream().filter(name -> adds(found, name)).findFirst());
  }

  /** {@return the nearest name within a few typing errors} */
  public static Optional<String> misspelled(String found, Collection<String> known) {
    if (found.length() > LONGEST) {
      return Optional.empty();
    }
    int tolerated = Math.max(1, Math.min(3, found.length() / 4));
    return known.stream()
        .filter(name -> distance(found, name) <= tolerated)
        .min(
            Comparator.<String>comparingInt(name -> distance(found, name))
                .thenComparing(Comparator.naturalOrder()));
  }

  /**
   * {@return the question after an unknown name, such as {@code ; did you mean "Ready"?}; empty if
   * no name is near}
   */
  public static String question(String found, Collection<String> known) {
    return of(found, known).map(near -> "; did you mean \"" + near + "\"?").orElse("");
  }

  private static boolean adds(String found, String name) {
    return name.length() >= SHORTEST_STEM && found.startsWith(name);
  }

  /** The edit distance: letters inserted, dropped, replaced or swapped; case is ignored. */
  private static int distance(String left, String right) {
    String a = left.toLowerCase(Locale.ROOT);
    String b = right.toLowerCase(Locale.ROOT);
    int[][] steps = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        steps[i][j] = i == 0 || j == 0 ? i + j : step(steps, a, b, i, j);
      }
    }
    return steps[a.length()][b.length()];
  }

  private static int step(int[][] steps, String a, String b, int i, int j) {
    int replaced = steps[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int least = Math.min(replaced, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
  }
}
