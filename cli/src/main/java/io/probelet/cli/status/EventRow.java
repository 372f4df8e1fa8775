package io.probelet.cli.status;

import io.probelet.web.api.NodeView;
import io.probelet.web.api.RecentEvent;
import io.probelet.web.api.Rfc3339;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A recent event.
 *
 * @param time of its first occurrence, RFC 3339 in UTC
 * @param last time of its last occurrence
 * @param count of occurrences, at least 1
 * @param reason one word for programs
 * @param object a container and its probe, or the monitor that reported it
 * @param message the newest one, for people
 */
record EventRow(
    String time, String last, long count, String reason, String object, String message) {

  /** {@return all events by their first time, oldest first} */
  static List<EventRow> of(List<NodeView.EventView> node, List<RecentEvent> events) {
    Stream<EventRow> ofNode =
        node.stream()
            .map(event ->
                new EventRow(
                    event.time(),
                    event.time(),
                    1,
                    event.reason(),
                    event.source(),
                    event.message()));
    Stream<EventRow> others =
        events.stream()
            .map(event ->
                new EventRow(
                    event.time(),
                    event.last(),
                    event.count(),
                    event.reason(),
                    event.object(),
                    event.message()));
    return Stream.concat(ofNode, others).sorted(by(EventRow::time)).toList();
  }

  /** {@return the newest by their last time, ordered by their first time} */
  static List<EventRow> newest(List<EventRow> all, int wanted) {
    return all.stream()
        .sorted(by(EventRow::last))
        .skip(Math.max(0, all.size() - wanted))
        .sorted(by(EventRow::time))
        .toList();
  }

  private static Comparator<EventRow> by(Function<EventRow, String> moment) {
    return Comparator.comparing((EventRow each) -> Rfc3339.readOrEpoch(moment.apply(each)));
  }

  /** {@return equal for the same event, whatever its count} */
  List<String> key() {
    return List.of(time, reason, object);
  }
}
