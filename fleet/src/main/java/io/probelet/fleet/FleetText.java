package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.OneLine;

/** Texts of the cluster's objects: one line without control characters, and bounded. */
final class FleetText {
  /** For a word: a type, a reason, a status. */
  static final int WORD = 128;

  /** For a name: as long as the API server allows. */
  static final int NAME = 253;

  /** For a sentence. */
  static final int SENTENCE = 1024;

  private FleetText() {}

  /** {@return the text of a value; empty if it is none, cut if it is longer} */
  static String of(JsonNode value, int max) {
    return of(value.asText(""), max);
  }

  /** {@return a text, cut if it is longer} */
  static String of(String text, int max) {
    return OneLine.of(text, max);
  }
}
