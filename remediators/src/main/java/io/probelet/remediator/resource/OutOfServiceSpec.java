package io.probelet.remediator.resource;

import java.time.Duration;

/**
 * A node that is off is declared out of service.
 *
 * @param confirmWithin how long that may take
 */
public record OutOfServiceSpec(Confirmation confirmation, Duration confirmWithin)
    implements RemediationSpec {
  /** Who says that the node is off. */
  public sealed interface Confirmation {
    /** A human, by an annotation of the Node with the boot ID that it had. */
    record ByAnnotation() implements Confirmation {}

    /** An endpoint that knows. */
    record ByHook(HttpsHook https) implements Confirmation {}
  }

  @Override
  public RemediationKind kind() {
    return RemediationKind.OUT_OF_SERVICE;
  }
}
