package io.probelet.manifest.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A named set of limits. */
public enum Preset {
  /** Pod authors are untrusted: annotations only affect their own pods. */
  RESTRICTED,
  /** Pod authors are trusted like the administrator. */
  TRUSTED;

  /** {@return the limits for a namespace without further settings} */
  public NamespacePolicy policy() {
    return switch (this) {
      case RESTRICTED -> NamespacePolicy.RESTRICTED;
      case TRUSTED -> NamespacePolicy.TRUSTED;
    };
  }

  /** {@return the words for users} */
  public static List<String> words() {
    return Arrays.stream(values()).map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
  }

  /**
   * Parses a word.
   *
   * @return its preset; empty if it is unknown
   */
  public static Optional<Preset> of(String word) {
    int index = words().indexOf(word);
    return index < 0 ? Optional.empty() : Optional.of(values()[index]);
  }
}
