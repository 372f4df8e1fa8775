package io.probelet.manifest.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The consequence of a failed liveness or startup probe. */
public enum Enforcement {
  /** The container is stopped, so that its owner restarts it. */
  ENFORCE,
  /** The failure is only logged and counted, and probing continues. */
  OBSERVE;

  /** The annotation with the pod's own choice. */
  public static final String KEY = "probelet.io/enforcement";

  /**
   * {@return whether this has stronger consequences than the limit}
   *
   * @param most the limit
   */
  public boolean exceeds(Enforcement most) {
    return this == ENFORCE && most == OBSERVE;
  }

  /** {@return the word for users} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** {@return the words for users} */
  public static List<String> words() {
    return Arrays.stream(values()).map(Enforcement::word).toList();
  }

  /**
   * Parses a word.
   *
   * @return its mode; empty if it is unknown
   */
  public static Optional<Enforcement> of(String word) {
    int index = words().indexOf(word);
    return index < 0 ? Optional.empty() : Optional.of(values()[index]);
  }
}
