package io.probelet.nodehealth.tape;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.name.DnsName;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.NodeJson;
import io.probelet.kube.WireTime;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.resource.ObjectRef;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads single lines of a tape; docs/how-to/tape.md describes the format. */
public final class TapeLines {
  private static final List<String> SUCCESS = List.of("True", "False", "Unknown");
  private static final Pattern KIND = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,62}");
  private static final Set<String> HEADER = words("tape", "start", "cluster", "source");
  private static final Set<String> CHANGES =
      words(
          "node",
          "nodeGone",
          "condition",
          "labels",
          "cordon",
          "check",
          "checkGone",
          "maintenance",
          "maintenanceGone",
          "remediation",
          "remediationGone",
          "gap",
          "end");

  private static final Set<String> CONDITION = words("node", "type", "status", "since");
  private static final Set<String> ALL = new LinkedHashSet<>();

  static {
    ALL.addAll(HEADER);
    ALL.add("at");
    ALL.addAll(CHANGES);
  }

  private TapeLines() {}

  /** In the order of messages. */
  private static Set<String> words(String... words) {
    return new LinkedHashSet<>(List.of(words));
  }

  /**
   * Reads a header.
   *
   * @param root the line
   * @param problems receives its errors
   * @return the header; null if it is invalid
   */
  public static @Nullable TapeHeader header(Node root, Problems problems) {
    int errors = problems.errors();
    Fields line = fields(root, problems);
    if (line == null) {
      return null;
    }
    Field version = line.field("tape");
    if (!version.isPresent()) {
      version.required("the first line is the header, such as {\"tape\": 1, \"start\": …}");
      return null;
    }
    if (version.int64(0) != TapeHeader.VERSION && problems.errors() == errors) {
      version.invalid("this program reads version " + TapeHeader.VERSION);
    }
    Instant start = moment(line.field("start"), null);
    String cluster = text(line.field("cluster"), false);
    String source = text(line.field("source"), false);
    forbid(line, CHANGES, "is not a header field");
    forbid(line, Set.of("at"), "is not a header field; use start");
    rejectUnknown(line, ALL);
    return problems.errors() == errors ? new TapeHeader(start, cluster, source) : null;
  }

  /**
   * Reads any other line.
   *
   * @param root the line
   * @param problems receives its errors
   * @return the change; null if it is invalid
   */
  public static @Nullable TapeLine line(Node root, Problems problems) {
    int errors = problems.errors();
    Fields line = fields(root, problems);
    if (line == null) {
      return null;
    }
    Instant at = moment(line.field("at"), null);
    List<String> given = line.names().stream().filter(CHANGES::contains).toList();
    forbid(line, HEADER, "belongs in the header, the first line");
    rejectUnknown(line, ALL);
    if (given.size() > 1) {
      line.field(given.get(1))
          .forbidden("a line has one change; this line already has " + given.getFirst());
    }
    if (given.isEmpty()) {
      if (problems.errors() == errors) {
        line.self().required("what changed: " + String.join(", ", CHANGES));
      }
      return null;
    }
    TapeLine read = change(at, given.getFirst(), line.field(given.getFirst()));
    return problems.errors() == errors ? read : null;
  }

  private static @Nullable Fields fields(Node root, Problems problems) {
    return Field.ofDocument(new Scope(problems, Severity.ERROR), "", root).object();
  }

  private static void forbid(Fields line, Set<String> names, String why) {
    for (String name : line.names()) {
      if (names.contains(name)) {
        line.field(name).forbidden(why);
      }
    }
  }

  /** Checking for every field first would take longer than all the rest (benchmarks/run tape). */
  private static void rejectUnknown(Fields fields, Set<String> known) {
    if (!known.containsAll(fields.names())) {
      fields.rejectUnknown(known);
    }
  }

  private static @Nullable TapeLine change(Instant at, String name, Field field) {
    return switch (name) {
      case "node" -> node(at, field);
      case "nodeGone" -> new NodeGone(at, nodeName(field));
      case "condition" -> condition(at, field);
      case "labels" -> labels(at, field);
      case "cordon" -> cordon(at, field);
      case "check" -> check(at, field);
      case "checkGone" -> new CheckGone(at, nodeName(field));
      case "maintenance" -> maintenance(at, field);
      case "maintenanceGone" -> new MaintenanceGone(at, nodeName(field));
      case "remediation" -> remediation(at, field);
      case "remediationGone" -> new RemediationGone(at, text(field, true));
      case "gap" -> gap(at, field);
      case "end" -> {
        if (!field.bool(false)) {
          field.invalid("must be true");
        }
        yield new End(at);
      }
      default -> throw new IllegalStateException(name);
    };
  }

  private static @Nullable NodeSeen node(Instant at, Field field) {
    Fields node = object(field);
    if (node == null) {
      return null;
    }
    String name = nodeName(node.field("name"));
    String uid = text(node.field("uid"), false);
    Instant created = moment(node.field("created"), at);
    Map<String, String> labels = new HashMap<>();
    for (Field label :
        limited(FieldRules.entries(node.field("labels")), TapeLimits.MAX_LABELS, field)) {
      labels.put(bounded(label, label.name()), bounded(label, label.text("")));
    }
    List<NodeCondition> conditions = new ArrayList<>();
    for (Field item : limited(node.field("conditions").items(), TapeLimits.MAX_CONDITIONS, field)) {
      Fields condition = object(item);
      if (condition != null) {
        conditions.add(
            new NodeCondition(
                text(condition.field("type"), true),
                text(condition.field("status"), true),
                moment(condition.field("since"), at),
                text(condition.field("reason"), false)));
        condition.rejectUnknown(Set.of());
      }
    }
    List<NodeTaint> taints = new ArrayList<>();
    for (Field item : limited(node.field("taints").items(), TapeLimits.MAX_CONDITIONS, field)) {
      Fields taint = object(item);
      if (taint != null) {
        taints.add(
            new NodeTaint(
                text(taint.field("key"), true),
                text(taint.field("value"), false),
                text(taint.field("effect"), false)));
        taint.rejectUnknown(Set.of());
      }
    }
    boolean confirmed = node.field("confirmedHealthy").bool(false);
    boolean cordoned = node.field("cordoned").bool(false);
    node.rejectUnknown(Set.of());
    String known = uid.isEmpty() ? "node-" + name : uid;
    return new NodeSeen(
        at,
        new NodeFacts(name, known, created, labels, conditions, taints, confirmed, null, null),
        cordoned);
  }

  private static @Nullable ConditionChange condition(Instant at, Field field) {
    Fields condition = object(field);
    if (condition == null) {
      return null;
    }
    ConditionChange change =
        new ConditionChange(
            at,
            nodeName(condition.field("node")),
            text(condition.field("type"), true),
            text(condition.field("status"), true),
            moment(condition.field("since"), at),
            text(condition.field("reason"), false));
    rejectUnknown(condition, CONDITION);
    return change;
  }

  private static @Nullable LabelChange labels(Instant at, Field field) {
    Fields change = object(field);
    if (change == null) {
      return null;
    }
    String node = nodeName(change.field("node"));
    Field given = change.field("set");
    if (!given.isPresent()) {
      given.required("the changed labels; null removes a label");
    }
    Map<String, Optional<String>> set = new HashMap<>();
    for (Field label : limited(FieldRules.entries(given), TapeLimits.MAX_LABELS, given)) {
      set.put(
          bounded(label, label.name()),
          Optional.ofNullable(label.text()).map(value -> bounded(label, value)));
    }
    change.rejectUnknown(Set.of());
    return new LabelChange(at, node, set);
  }

  private static @Nullable Cordon cordon(Instant at, Field field) {
    Fields cordon = object(field);
    if (cordon == null) {
      return null;
    }
    String node = nodeName(cordon.field("node"));
    Field cordoned = cordon.field("cordoned");
    if (!cordoned.isPresent()) {
      cordoned.required("true or false");
    }
    boolean value = cordoned.bool(false);
    cordon.rejectUnknown(Set.of());
    return new Cordon(at, node, value);
  }

  private static @Nullable CheckSeen check(Instant at, Field field) {
    JsonNode object = resource(field, "NodeHealthCheck");
    return object == null ? null : new CheckSeen(at, name(object), object);
  }

  private static @Nullable MaintenanceSeen maintenance(Instant at, Field field) {
    JsonNode object = resource(field, "Maintenance");
    return object == null ? null : new MaintenanceSeen(at, name(object), object);
  }

  private static @Nullable JsonNode resource(Field field, String kind) {
    JsonNode object = field.value() == null ? null : NodeJson.of(field.value()).orElse(null);
    if (object == null || !object.isObject()) {
      field.required("a " + kind + ", with apiVersion, kind, metadata and spec");
      return null;
    }
    if (!DnsName.SUBDOMAIN.matches(name(object))) {
      field.error("metadata.name: must be the " + kind + "'s name");
    }
    return object;
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asText("");
  }

  private static @Nullable RemediationSeen remediation(Instant at, Field field) {
    Fields remediation = object(field);
    if (remediation == null) {
      return null;
    }
    Field kindField = remediation.field("kind");
    String kind = text(kindField, true);
    if (!kind.isEmpty() && !KIND.matcher(kind).matches()) {
      kindField.invalid("must be a kind, such as SelfNodeRemediation");
    }
    String namespace = text(remediation.field("namespace"), false);
    Field succeededField = remediation.field("succeeded");
    String succeeded = FieldRules.oneOf(succeededField, SUCCESS);
    Field timedOut = remediation.field("timedOut");
    if (timedOut.isPresent()) {
      moment(timedOut, at);
    }
    RecordedRemediation read =
        new RecordedRemediation(
            new ObjectRef(
                text(remediation.field("apiVersion"), true),
                kind,
                namespace.isEmpty() ? null : namespace,
                text(remediation.field("name"), true)),
            text(remediation.field("uid"), true),
            nodeName(remediation.field("node")),
            text(remediation.field("check"), false),
            text(remediation.field("template"), false),
            moment(remediation.field("created"), at),
            remediation.field("deleting").bool(false),
            success(succeeded),
            timedOut.text(""));
    remediation.rejectUnknown(Set.of());
    return new RemediationSeen(at, read);
  }

  private static Success success(@Nullable String word) {
    return switch (word) {
      case "True" -> Success.YES;
      case "False" -> Success.NO;
      case null, default -> Success.UNKNOWN;
    };
  }

  private static @Nullable Gap gap(Instant at, Field field) {
    Fields gap = object(field);
    if (gap == null) {
      return null;
    }
    Field fromField = gap.field("from");
    Instant from = moment(fromField, null);
    if (from.isAfter(at)) {
      fromField.invalid("must not be after the line's own time");
    }
    gap.rejectUnknown(Set.of());
    return new Gap(at, from);
  }

  private static @Nullable Fields object(Field field) {
    if (!field.isPresent()) {
      field.required("must be an object");
    }
    return field.object();
  }

  private static List<Field> limited(List<Field> items, int most, Field owner) {
    if (items.size() > most) {
      owner.error("has " + items.size() + " labels or conditions; the limit is " + most);
      return List.of();
    }
    return items;
  }

  private static String nodeName(Field field) {
    String name = text(field, true);
    if (!name.isEmpty()) {
      DnsName.SUBDOMAIN.check(field, name);
    }
    return name;
  }

  private static String text(Field field, boolean required) {
    String text = field.text();
    if (required && (!field.isPresent() || (text != null && text.isEmpty()))) {
      field.required("a non-empty string");
    }
    return bounded(field, text == null ? "" : text);
  }

  private static String bounded(Field field, String text) {
    if (text.length() > TapeLimits.MAX_TEXT) {
      field.invalid("must be no more than " + TapeLimits.MAX_TEXT + " characters");
    }
    return text;
  }

  /**
   * Reads a time; if it is absent, returns the default, and if that is null, the time is required.
   */
  private static Instant moment(Field field, @Nullable Instant absent) {
    String text = field.text();
    if (!field.isPresent()) {
      if (absent == null) {
        field.required("a date and time, such as 2026-10-01T04:05:06Z");
        return Instant.EPOCH;
      }
      return absent;
    }
    Instant moment = text == null ? null : WireTime.read(text);
    if (moment == null) {
      if (text != null) {
        field.invalid("must be an RFC 3339 date and time, such as 2026-10-01T04:05:06Z");
      }
      return Instant.EPOCH;
    }
    return moment;
  }
}
