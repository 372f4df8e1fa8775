package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/**
 * What the controller writes on a Node that is in maintenance, for the node's agent (MW-8). A
 * node's kubelet may write it too, so that nothing about other nodes may follow from it.
 *
 * @param until the end of the maintenance
 * @param name of the Maintenance, at most {@value #MAX_NAME} characters
 */
public record MaintenanceNote(Instant until, String name) {
  /** The annotation of the Node. */
  public static final String ANNOTATION = "probelet.io/maintenance";

  /** The longest name of a Maintenance. */
  public static final int MAX_NAME = 63;

  /** {@return the annotation's value} */
  public String text() {
    return WireTime.seconds(until) + " " + name;
  }

  /**
   * Reads the annotation of a Node.
   *
   * @return the note; empty if there is none, or if its value is not as the controller writes it
   */
  public static Optional<MaintenanceNote> of(JsonNode node) {
    String[] parts =
        node.path("metadata").path("annotations").path(ANNOTATION).asText().split(" ", 2);
    Instant until = WireTime.read(parts[0]);
    return until == null || parts.length < 2 || !isName(parts[1])
        ? Optional.empty()
        : Optional.of(new MaintenanceNote(until, parts[1]));
  }

  private static boolean isName(String text) {
    return text.length() <= MAX_NAME && text.matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");
  }
}
