package io.probelet.manifest.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Settings that go together. */
public enum Preset {
  /** The authors of pods are strangers: what they ask for ends at their pods. */
  RESTRICTED,
  /** The authors of pods are who could have asked the administrator as well. */
  TRUSTED;

  /** {@return what it means for a namespace of which nothing else is said} */
  public NamespacePolicy policy() {
    return switch (this) {
      case RESTRICTED -> NamespacePolicy.RESTRICTED;
      case TRUSTED -> NamespacePolicy.TRUSTED;
    };
  }

  /** {@return the words by which users name them} */
  public static List<String> words() {
    return Arrays.stream(values()).map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
  }

  /**
   * Reads a word.
   *
   * @return what it names; empty if nothing
   */
  public static Optional<Preset> of(String word) {
    int index = words().indexOf(word);
    return index < 0 ? Optional.empty() : Optional.of(values()[index]);
  }
}
