package io.probelet.manifest.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What follows when a liveness or startup probe has failed. */
public enum Enforcement {
  /** The container is stopped, for its owner to start it again. */
  ENFORCE,
  /** Everything but that: it is logged, counted, and probed on. */
  OBSERVE;

  /** The annotation by which a pod chooses for itself. */
  public static final String KEY = "probelet.io/enforcement";

  /**
   * {@return whether more follows than another allows}
   *
   * @param most what may follow
   */
  public boolean exceeds(Enforcement most) {
    return this == ENFORCE && most == OBSERVE;
  }

  /** {@return the word by which users name it} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** {@return the words by which users name them} */
  public static List<String> words() {
    return Arrays.stream(values()).map(Enforcement::word).toList();
  }

  /**
   * Reads a word.
   *
   * @return what it names; empty if nothing
   */
  public static Optional<Enforcement> of(String word) {
    int index = words().indexOf(word);
    return index < 0 ? Optional.empty() : Optional.of(values()[index]);
  }
}
