package io.probelet.manifest.policy;

import java.util.List;

/**
 * Names of namespaces; one that ends with {@code *} matches all that begin like it.
 *
 * @param patterns names, at least one for anything to match
 */
public record NamePatterns(List<String> patterns) {
  private static final String ANY_REST = "*";

  /** Keeps an unmodifiable copy of the names. */
  public NamePatterns {
    patterns = List.copyOf(patterns);
  }

  /** {@return whether one of them matches a namespace} */
  public boolean matches(String namespace) {
    return patterns.stream().anyMatch(pattern -> matches(pattern, namespace));
  }

  private static boolean matches(String pattern, String namespace) {
    return pattern.endsWith(ANY_REST)
        ? namespace.startsWith(pattern.substring(0, pattern.length() - ANY_REST.length()))
        : namespace.equals(pattern);
  }
}
