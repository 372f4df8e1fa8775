package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads the standard metadata of objects. */
public final class Metadata {
  private Metadata() {}

  /**
   * Reads an object's unique identifier.
   *
   * @return the uid; empty if it has none
   */
  public static String uid(JsonNode object) {
    return object.at("/metadata/uid").asText();
  }

  /**
   * Reads an object's version.
   *
   * @return the resourceVersion; empty if it has none
   */
  public static String version(JsonNode object) {
    return object.at("/metadata/resourceVersion").asText();
  }

  /**
   * Compares versions of one object, which are increasing integers.
   *
   * @return whether the first is older; false if either is not a number
   */
  public static boolean isOlder(String version, String than) {
    return isNumber(version)
        && isNumber(than)
        && (version.length() == than.length()
            ? version.compareTo(than) < 0
            : version.length() < than.length());
  }

  private static boolean isNumber(String version) {
    return !version.isEmpty() && version.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
