package io.probelet.manifest.policy;

import java.util.List;

/**
 * Names of namespaces; a trailing {@code *} matches any suffix.
 *
 * @param patterns names; without any, nothing matches
 */
public record NamePatterns(List<String> patterns) {
  private static final String ANY_REST = "*";

  /** Keeps an unmodifiable copy of the names. */
  public NamePatterns {
    patterns = List.copyOf(patterns);
  }

  /** {@return whether a pattern matches a namespace} */
  public boolean matches(String namespace) {
    return patterns.stream().anyMatch(pattern -> matches(pattern, namespace));
  }

  private static boolean matches(String pattern, String namespace) {
    return pattern.endsWith(ANY_REST)
        ? namespace.startsWith(pattern.substring(0, pattern.length() - ANY_REST.length()))
        : namespace.equals(pattern);
  }
}
