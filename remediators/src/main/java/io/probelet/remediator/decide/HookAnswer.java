package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.OneLine;
import io.probelet.remediator.resource.RemediationProgress;

/** What came of a call to a user's endpoint. */
public sealed interface HookAnswer {
  /** It was not called. */
  record NotAsked() implements HookAnswer {}

  /**
   * It answered.
   *
   * @param body what it said; a missing node if it said nothing, or a plain word such as "ok"
   */
  record Answered(int code, JsonNode body) implements HookAnswer {}

  /**
   * It was not reached, or said nothing that can be read.
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
