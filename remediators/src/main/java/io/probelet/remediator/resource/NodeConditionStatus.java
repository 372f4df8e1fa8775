package io.probelet.remediator.resource;

/**
 * A condition that a node must have.
 *
 * @param type its type, such as Ready
 * @param status True, False or Unknown
 */
public record NodeConditionStatus(String type, String status) {
  /** What every healthy node has. */
  public static final NodeConditionStatus READY = new NodeConditionStatus("Ready", "True");
}
