package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.OneLine;
import io.probelet.remediator.resource.RemediationProgress;

/** The observed state of a user's endpoint or Job. */
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

  /** State of a Job. */
  enum State {
    /** Does not exist. */
    MISSING,
    /** Exists, but belongs to another owner. */
    FOREIGN,
    /** Running. */
    RUNNING,
    /** Completed. */
    COMPLETE,
    /** Failed for good. */
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
