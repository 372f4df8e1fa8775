package io.probelet.nodehealth.resource;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One way to remediate a node.
 *
 * @param template the template its remediation resource is made from
 * @param timeout how long it may try before the next step's turn, 60 s or more; null if it is the
 *     only step and may try for ever
 */
public record RemediationStep(ObjectRef template, @Nullable Duration timeout) {
  private static final String SUFFIX = "Template";

  /** {@return the kind of the resource made from the template } */
  public String remediationKind() {
    String kind = template.kind();
    return kind.endsWith(SUFFIX) ? kind.substring(0, kind.length() - SUFFIX.length()) : kind;
  }
}
