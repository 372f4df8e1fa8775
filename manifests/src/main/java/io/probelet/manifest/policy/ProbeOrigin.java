package io.probelet.manifest.policy;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Where the probes of a pod come from. */
public enum ProbeOrigin {
  /** The containers' livenessProbe, readinessProbe and startupProbe. */
  SPEC("spec"),
  /** The annotation {@code probelet.io/probes}. */
  ANNOTATION("annotation");

  /** The annotation by which a pod chooses for itself. */
  public static final String KEY = "probelet.io/probe-sources";

  private static final String NONE = "none";

  private final String word;

  ProbeOrigin(String word) {
    this.word = word;
  }

  /** {@return the words by which users name origins} */
  public static List<String> words() {
    return Arrays.stream(values()).map(origin -> origin.word).toList();
  }

  /**
   * {@return origins as the annotation has them: words with commas between them, or {@code none}}
   *
   * @param origins any, possibly none
   */
  public static String format(Set<ProbeOrigin> origins) {
    return origins.isEmpty()
        ? NONE
        : origins.stream().sorted().map(origin -> origin.word).collect(joining(", "));
  }

  /**
   * Reads one word.
   *
   * @return the origin; empty if there is none of that name
   */
  public static Optional<ProbeOrigin> of(String word) {
    return Arrays.stream(values()).filter(origin -> origin.word.equals(word)).findFirst();
  }

  /**
   * Reads the annotation: words with commas between them, or {@code none}.
   *
   * @throws IllegalArgumentException if a word is unknown; the message says what would be right
   */
  public static Set<ProbeOrigin> parse(String text) {
    Set<ProbeOrigin> origins = EnumSet.noneOf(ProbeOrigin.class);
    if (text.strip().equals(NONE)) {
      return origins;
    }
    for (String part : text.split(",", -1)) {
      String word = part.strip();
      origins.add(
          of(word)
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      "\"%s\" is no source of probes; write none, or some of %s with commas"
                          .formatted(word, String.join(", ", words())))));
    }
    return origins;
  }
}
