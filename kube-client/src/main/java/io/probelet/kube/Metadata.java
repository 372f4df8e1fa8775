package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;

/** What the API server keeps about every object. */
public final class Metadata {
  private Metadata() {}

  /**
   * Reads an object's unique identifier.
   *
   * @param object the object
   * @return the uid; empty if it has none
   */
  public static String uid(JsonNode object) {
    return object.at("/metadata/uid").asText();
  }

  /**
   * Reads an object's version.
   *
   * @param object the object
   * @return the resourceVersion; empty if it has none
   */
  public static String version(JsonNode object) {
    return object.at("/metadata/resourceVersion").asText();
  }
}
