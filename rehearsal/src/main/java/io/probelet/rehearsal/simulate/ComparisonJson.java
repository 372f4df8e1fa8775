package io.probelet.rehearsal.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.rehearsal.Comparison;
import io.probelet.nodehealth.rehearsal.RehearsalTotals;
import io.probelet.nodehealth.rehearsal.RehearsalTotals.Listed;
import io.probelet.nodehealth.rehearsal.RehearsalTotals.Outcome;
import java.time.Duration;
import java.util.Locale;

/** Prints a comparison as JSON; durations are in seconds, times have the API's format. */
public final class ComparisonJson {
  private ComparisonJson() {}

  /**
   * Prints a comparison.
   *
   * @return one object
   */
  public static ObjectNode print(Comparison comparison) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ObjectNode tape = root.putObject("tape");
    tape.put("cluster", comparison.tape().cluster());
    tape.put("start", comparison.tape().start().toString());
    tape.put("end", comparison.end().toString());
    tape.put("complete", comparison.complete());
    tape.put("lines", comparison.lines());
    tape.put("mostNodes", comparison.mostNodes());
    tape.put("unseen", seconds(comparison.unseen()));
    ArrayNode columns = root.putArray("columns");
    comparison.columns().forEach(tally -> column(columns.addObject(), tally));
    return root;
  }

  private static void column(ObjectNode column, RehearsalTotals tally) {
    column.put("name", tally.title());
    column.put("remediations", tally.remediations());
    column.put("nodesRemediated", tally.nodes());
    column.put("givenUp", tally.givenUp());
    column.put("mostNodesAtOnce", tally.mostAtOnce());
    ObjectNode recovered = column.putObject("outcomes");
    for (Outcome outcome : Outcome.values()) {
      recovered.put(word(outcome), tally.count(outcome));
    }
    column.put("unhealthy", seconds(tally.unhealthy()));
    column.put("unhealthyEstimate", seconds(tally.estimate()));
    column.put("savedEstimate", seconds(tally.saved()));
    ObjectNode holds = column.putObject("holds");
    tally
        .holds()
        .forEach((reason, held) ->
            holds.putObject(reason).put("times", held.times()).put("time", seconds(held.time())));
    ArrayNode list = column.putArray("list");
    for (Listed one : tally.first()) {
      ObjectNode entry = list.addObject();
      entry.put("at", one.at().toString()).put("node", one.node()).put("kind", one.kind());
      entry.put("check", one.check()).put("outcome", word(one.outcome()));
      if (one.over() != null) {
        entry.put("over", one.over().toString());
      }
    }
    column.put("notListed", tally.remediations() - tally.first().size());
  }

  /** As {@code byItself}. */
  private static String word(Outcome outcome) {
    String[] parts = outcome.name().toLowerCase(Locale.ROOT).split("_", -1);
    StringBuilder word = new StringBuilder(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      word.append(Character.toUpperCase(parts[i].charAt(0))).append(parts[i].substring(1));
    }
    return word.toString();
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }
}
