package io.probelet.cli.status;

import io.probelet.web.api.NodeView;
import io.probelet.web.api.RecentEvent;
import io.probelet.web.api.Rfc3339;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Something that happened on a node lately.
 *
 * @param time when it happened first, RFC 3339 in UTC
 * @param last when it happened last
 * @param count how often, at least 1
 * @param reason one word for programs
 * @param object what it happened to: a container and its probe, or the monitor that noticed it
 * @param message a sentence for people, the newest one
 */
record EventRow(
    String time, String last, long count, String reason, String object, String message) {

  /** {@return what the agent remembers, oldest first by when it happened first} */
  static List<EventRow> of(NodeView node, List<RecentEvent> events) {
    Stream<EventRow> ofNode =
        node.events().stream()
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

  /** {@return those that happened last, oldest first by when they happened first} */
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

  /** {@return equal for the same event, however often it has happened meanwhile} */
  List<String> key() {
    return List.of(time, reason, object);
  }
}
