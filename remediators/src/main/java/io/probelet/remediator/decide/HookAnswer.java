package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.OneLine;
import io.probelet.remediator.resource.RemediationProgress;

/** The result of a call to a user's endpoint. */
public sealed interface HookAnswer {
  /** The endpoint was not called. */
  record NotAsked() implements HookAnswer {}

  /**
   * The endpoint responded.
   *
   * @param body the JSON body; a missing node if the body is empty or plain text such as "ok"
   */
  record Answered(int code, JsonNode body) implements HookAnswer {}

  /**
   * The endpoint was not reached, or its response was invalid.
   *
   * @param why in a line
   */
  record NotAnswered(String why) implements HookAnswer {
    /** ACT-44: an error may quote what the endpoint has sent. */
    public NotAnswered {
      why = OneLine.of(why, RemediationProgress.MAX_MESSAGE);
    }
  }
}
