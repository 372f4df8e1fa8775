package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.OneLine;
import io.probelet.remediator.resource.RemediationProgress;

/** What is known of a user's endpoint or Job. */
public sealed interface ObservedHook {
  /** Of an endpoint. */
  record OfEndpoint(HookAnswer answer) implements ObservedHook {}

  /**
   * Of a Job.
   *
   * @param message what its condition says; may be empty
   */
  record OfJob(State state, String message) implements ObservedHook {
    /** ACT-44: whoever may write Jobs, or their status, chooses the words. */
    public OfJob {
      message = OneLine.of(message, RemediationProgress.MAX_MESSAGE);
    }
  }

  /** How far a Job is. */
  enum State {
    /** There is none. */
    MISSING,
    /** One of its name is there, and is not ours. */
    FOREIGN,
    /** It has neither completed nor failed. */
    RUNNING,
    /** It has completed. */
    COMPLETE,
    /** It has failed, and is not tried again. */
    FAILED
  }

  /**
   * Reads a Job.
   *
   * @param uid of the remediation that must own it
   */
  static OfJob read(JsonNode job, String uid) {
    boolean ours = false;
    for (JsonNode owner : job.at("/metadata/ownerReferences")) {
      ours |= owner.path("uid").asText().equals(uid);
    }
    if (!ours) {
      return new OfJob(State.FOREIGN, "");
    }
    for (JsonNode condition : job.at("/status/conditions")) {
      String type = condition.path("type").asText();
      if (condition.path("status").asText().equals("True")
          && (type.equals("Complete") || type.equals("Failed"))) {
        String message =
            "%s %s"
                .formatted(condition.path("reason").asText(), condition.path("message").asText());
        return new OfJob(type.equals("Complete") ? State.COMPLETE : State.FAILED, message);
      }
    }
    return new OfJob(State.RUNNING, "");
  }
}
