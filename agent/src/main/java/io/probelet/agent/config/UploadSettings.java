package io.probelet.agent.config;

import io.probelet.health.ShortText;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where bundles of evidence go besides the node.
 *
 * @param url an https URL in which {node} and {name} are replaced; empty for nowhere
 * @param caFile certificates in PEM that are trusted there; empty for those of the system
 * @param tokenFile holds the bearer token that is shown there; empty for none
 */
public record UploadSettings(
    Optional<String> url, Optional<Path> caFile, Optional<Path> tokenFile) {
  /** What is replaced by the name of the bundle. */
  public static final String NAME = "{name}";

  /** What is replaced by the name of the node. */
  public static final String NODE = "{node}";

  /** Bundles stay on the node. */
  public static final UploadSettings OFF =
      new UploadSettings(Optional.empty(), Optional.empty(), Optional.empty());

  private static final String NONE = "none";
  private static final String SCHEME = "https://";
  private static final int MAX_URL = 2048;

  /**
   * Reads where to.
   *
   * @param text a URL, or none
   * @return the URL as it was given; empty for none
   * @throws IllegalArgumentException if it is neither; the message is for the user
   */
  static Optional<String> parseUrl(String text) {
    if (text.equals(NONE)) {
      return Optional.empty();
    }
    String shown = "\"" + ShortText.beginning(text, 100) + "\"";
    String wanted = " is not none, or an https URL such as https://evidence.example/{node}/{name}";
    if (text.length() > MAX_URL) {
      throw new IllegalArgumentException(shown + " is longer than " + MAX_URL + " characters");
    }
    URI uri;
    try {
      uri = URI.create(text.replace(NODE, "node").replace(NAME, "name"));
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException(shown + wanted, malformed);
    }
    // A node's name chooses a path, never the server that gets the token.
    boolean ownHost = uri.getHost() != null && text.startsWith(SCHEME + uri.getHost());
    if (!ownHost
        || uri.getUserInfo() != null
        || uri.getFragment() != null
        || !text.contains(NAME)) {
      throw new IllegalArgumentException(shown + wanted);
    }
    return Optional.of(text);
  }

  static Optional<Path> parseFile(String text) {
    return text.equals(NONE) ? Optional.empty() : Optional.of(Path.of(text));
  }
}
