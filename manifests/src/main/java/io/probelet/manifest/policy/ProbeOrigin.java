package io.probelet.manifest.policy;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A source of a pod's probes. */
public enum ProbeOrigin {
  /** The containers' livenessProbe, readinessProbe and startupProbe. */
  SPEC("spec"),
  /** The annotation {@code probelet.io/probes}. */
  ANNOTATION("annotation");

  /** The annotation with the pod's own choice. */
  public static final String KEY = "probelet.io/probe-sources";

  private static final String NONE = "none";

  private final String word;

  ProbeOrigin(String word) {
    this.word = word;
  }

  /** {@return the words for users} */
  public static List<String> words() {
    return Arrays.stream(values()).map(origin -> origin.word).toList();
  }

  /**
   * {@return origins in the annotation's format: comma-separated words, or {@code none}}
   *
   * @param origins any, possibly none
   */
  public static String format(Set<ProbeOrigin> origins) {
    return origins.isEmpty()
        ? NONE
        : origins.stream().sorted().map(origin -> origin.word).collect(joining(", "));
  }

  /**
   * Parses one word.
   *
   * @return the origin; empty if it is unknown
   */
  public static Optional<ProbeOrigin> of(String word) {
    return Arrays.stream(values()).filter(origin -> origin.word.equals(word)).findFirst();
  }

  /**
   * Parses the annotation: comma-separated words, or {@code none}.
   *
   * @throws IllegalArgumentException if a word is unknown; the message names what is allowed
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
                      "\"%s\" is not a source of probes; use none or a list of %s"
                          .formatted(word, String.join(", ", words())))));
    }
    return origins;
  }
}
