package io.probelet.nodehealth.tape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.nodehealth.tape.TapeLine.CheckGone;
import io.probelet.nodehealth.tape.TapeLine.CheckSeen;
import io.probelet.nodehealth.tape.TapeLine.ConditionChange;
import io.probelet.nodehealth.tape.TapeLine.Cordon;
import io.probelet.nodehealth.tape.TapeLine.End;
import io.probelet.nodehealth.tape.TapeLine.Gap;
import io.probelet.nodehealth.tape.TapeLine.LabelChange;
import io.probelet.nodehealth.tape.TapeLine.MaintenanceGone;
import io.probelet.nodehealth.tape.TapeLine.MaintenanceSeen;
import io.probelet.nodehealth.tape.TapeLine.NodeGone;
import io.probelet.nodehealth.tape.TapeLine.NodeSeen;
import io.probelet.nodehealth.tape.TapeLine.RemediationGone;
import io.probelet.nodehealth.tape.TapeLine.RemediationSeen;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;

/** Writes the lines of a tape; {@link TapeReader} reads them back as equal values. */
public final class TapeWriter {
  private TapeWriter() {}

  /**
   * Writes a header.
   *
   * @return one line, without its end
   */
  public static String write(TapeHeader header) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("tape", TapeHeader.VERSION).put("start", header.start().toString());
    putIf(line, "cluster", header.cluster());
    putIf(line, "source", header.source());
    return line.toString();
  }

  /**
   * Writes a line.
   *
   * @param line the change
   * @return one line, without its end
   */
  public static String write(TapeLine line) {
    ObjectNode out = JsonNodeFactory.instance.objectNode();
    out.put("at", line.at().toString());
    switch (line) {
      case NodeSeen seen -> node(out.putObject("node"), seen);
      case NodeGone gone -> out.put("nodeGone", gone.node());
      case ConditionChange change -> {
        ObjectNode condition = out.putObject("condition").put("node", change.node());
        condition.put("type", change.type()).put("status", change.status());
        since(condition, change.since(), change.at());
        reason(condition, change.reason());
      }
      case LabelChange(_, String node, var set) -> {
        ObjectNode change = out.putObject("labels").put("node", node);
        ObjectNode labels = change.putObject("set");
        new TreeMap<>(set).forEach((label, value) -> put(labels, label, value));
      }
      case Cordon(_, String node, boolean cordoned) ->
          out.putObject("cordon").put("node", node).put("cordoned", cordoned);
      case CheckSeen(_, _, JsonNode object) -> out.set("check", object);
      case CheckGone gone -> out.put("checkGone", gone.name());
      case MaintenanceSeen(_, _, JsonNode object) -> out.set("maintenance", object);
      case MaintenanceGone gone -> out.put("maintenanceGone", gone.name());
      case RemediationSeen(_, RecordedRemediation remediation) ->
          remediation(out.putObject("remediation"), remediation);
      case RemediationGone gone -> out.put("remediationGone", gone.uid());
      case Gap gap -> out.putObject("gap").put("from", gap.from().toString());
      case End _ -> out.put("end", true);
    }
    return out.toString();
  }

  private static void put(ObjectNode labels, String label, Optional<String> value) {
    value.ifPresentOrElse(text -> labels.put(label, text), () -> labels.putNull(label));
  }

  private static void node(ObjectNode out, NodeSeen seen) {
    NodeFacts node = seen.node();
    out.put("name", node.name()).put("uid", node.uid());
    out.put("created", node.created().toString());
    ObjectNode labels = out.putObject("labels");
    new TreeMap<>(node.labels()).forEach(labels::put);
    ArrayNode conditions = out.putArray("conditions");
    for (NodeCondition condition : node.conditions()) {
      ObjectNode one = conditions.addObject();
      one.put("type", condition.type()).put("status", condition.status());
      since(one, condition.lastTransitionTime(), seen.at());
      reason(one, condition.reason());
    }
    if (!node.taints().isEmpty()) {
      ArrayNode taints = out.putArray("taints");
      for (NodeTaint taint : node.taints()) {
        ObjectNode one = taints.addObject().put("key", taint.key());
        one.put("value", taint.value()).put("effect", taint.effect());
      }
    }
    if (node.confirmedHealthy()) {
      out.put("confirmedHealthy", true);
    }
    if (seen.cordoned()) {
      out.put("cordoned", true);
    }
  }

  private static void reason(ObjectNode condition, String reason) {
    if (!reason.isEmpty()) {
      condition.put("reason", reason);
    }
  }

  private static void remediation(ObjectNode out, RecordedRemediation remediation) {
    out.put("apiVersion", remediation.ref().apiVersion()).put("kind", remediation.ref().kind());
    putIf(out, "namespace", Optional.ofNullable(remediation.ref().namespace()).orElse(""));
    out.put("name", remediation.ref().name()).put("uid", remediation.uid());
    out.put("node", remediation.node());
    putIf(out, "check", remediation.check());
    putIf(out, "template", remediation.template());
    out.put("created", remediation.created().toString());
    if (remediation.deleting()) {
      out.put("deleting", true);
    }
    switch (remediation.succeeded()) {
      case YES -> out.put("succeeded", "True");
      case NO -> out.put("succeeded", "False");
      case UNKNOWN -> {}
    }
    putIf(out, "timedOut", remediation.timedOut());
  }

  private static void since(ObjectNode out, Instant since, Instant at) {
    if (!since.equals(at)) {
      out.put("since", since.toString());
    }
  }

  private static void putIf(ObjectNode out, String name, String value) {
    if (!value.isEmpty()) {
      out.put(name, value);
    }
  }
}
