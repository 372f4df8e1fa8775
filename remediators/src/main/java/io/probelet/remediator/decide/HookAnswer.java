package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;

/** What came of a call to a user's endpoint. */
public sealed interface HookAnswer {
  /** It was not called. */
  record NotAsked() implements HookAnswer {}

  /**
   * It answered.
   *
   * @param code the status of the answer
   * @param body what it said, a missing node if that is no JSON
   */
  record Answered(int code, JsonNode body) implements HookAnswer {}

  /**
   * It was not reached, or said nothing that can be read.
   *
   * @param why in a line
   */
  record NotAnswered(String why) implements HookAnswer {}
}
