package io.probelet.document.name;

import io.probelet.document.field.Fields;
import io.probelet.document.field.Suggestion;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The annotations of our own group: one that is not known is misspelled. */
public final class OwnAnnotations {
  private static final String PREFIX = "probelet.io/";

  private OwnAnnotations() {}

  /**
   * {@return whether an annotation is of our group}
   *
   * @param key any key
   */
  public static boolean isOurs(String key) {
    return key.startsWith(PREFIX);
  }

  /**
   * Warns of each of our annotations that is unknown.
   *
   * @param annotations those of an object; null if it has none
   * @param known the keys that objects of its kind may have, in the order of the message
   */
  public static void warnOfUnknown(@Nullable Fields annotations, Collection<String> known) {
    if (annotations == null) {
      return;
    }
    for (String key : annotations.names()) {
      if (isOurs(key) && !known.contains(key)) {
        annotations.keyed(key).warning("unknown annotation" + allowed(key, known));
      }
    }
  }

  private static String allowed(String key, Collection<String> known) {
    if (known.isEmpty()) {
      return ", ignored: nothing reads one of this kind";
    }
    String question = Suggestion.question(key, known);
    return (question.isEmpty() ? ";" : question)
        + " known annotations: "
        + String.join(", ", known);
  }
}
