package io.probelet.remediator.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;

/**
 * A user's endpoint is called, or a user's Job is run.
 *
 * @param target which of both
 * @param within how long it may take until it has succeeded
 */
public record HookSpec(Target target, Duration within) implements RemediationSpec {
  /** What does the work. */
  public sealed interface Target {
    /** An endpoint. */
    record Endpoint(HttpsHook https) implements Target {}

    /**
     * A Job.
     *
     * @param template its JobTemplateSpec, as it was given; not to be modified
     */
    record Job(ObjectNode template) implements Target {}
  }

  @Override
  public RemediationKind kind() {
    return RemediationKind.HOOK;
  }
}
