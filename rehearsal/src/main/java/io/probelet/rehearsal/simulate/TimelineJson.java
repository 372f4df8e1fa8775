package io.probelet.rehearsal.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.nodehealth.simulation.Timeline.Row;
import io.probelet.nodehealth.simulation.Timeline.Span;
import java.util.Locale;

/** Prints a timeline as JSON; all times are seconds since the start. */
public final class TimelineJson {
  private TimelineJson() {}

  /**
   * Prints a timeline.
   *
   * @return one object
   */
  public static ObjectNode print(Timeline timeline) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode rows = root.putArray("rows");
    for (Row row : timeline.rows()) {
      ObjectNode one = rows.addObject();
      one.put("at", row.at().toMillis() / 1000.0);
      one.put("by", row.by().name().toLowerCase(Locale.ROOT));
      ArrayNode nodes = one.putArray("nodes");
      row.nodes().forEach(nodes::add);
      one.put("what", row.what());
    }
    ArrayNode spans = root.putArray("spans");
    for (Span span : timeline.spans()) {
      ObjectNode one = spans.addObject();
      one.put("node", span.node());
      one.put("what", span.label().isEmpty() ? "unhealthy" : span.label());
      one.put("from", span.from().toMillis() / 1000.0);
      one.put("to", span.to().toMillis() / 1000.0);
    }
    root.put("length", timeline.length().toMillis() / 1000.0);
    ArrayNode outcome = root.putArray("outcome");
    timeline.outcome().forEach(outcome::add);
    return root;
  }
}
