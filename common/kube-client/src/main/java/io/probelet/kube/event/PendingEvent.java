package io.probelet.kube.event;

import java.time.Instant;

/**
 * One Event as it is to be written.
 *
 * @param event the last occurrence
 * @param before how often earlier processes wrote of the cause
 * @param first when it came first
 * @param last when it came last
 * @param create whether the API server has it not yet, for all that is known
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
