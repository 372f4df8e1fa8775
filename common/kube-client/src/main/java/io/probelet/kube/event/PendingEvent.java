package io.probelet.kube.event;

import java.time.Instant;

/**
 * An Event to write.
 *
 * @param event the last occurrence
 * @param before the count of earlier processes
 * @param first the first occurrence
 * @param last the last occurrence's time
 * @param create whether it must be created, as far as known
 */
record PendingEvent(
    ApiEvent event,
    String name,
    int before,
    int count,
    Instant first,
    Instant last,
    boolean create) {
  String namespace() {
    return event.object().eventNamespace();
  }
}
