package io.probelet.rehearsal.simulate;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.name.ObjectType;
import io.probelet.nodehealth.simulation.NodeNames;
import io.probelet.nodehealth.simulation.Scenario;
import io.probelet.nodehealth.simulation.Scenario.Change;
import io.probelet.nodehealth.simulation.Scenario.Event;
import io.probelet.nodehealth.simulation.Scenario.NodeGroup;
import io.probelet.nodehealth.simulation.Scenario.Outcome;
import io.probelet.nodehealth.simulation.Scenario.Remediator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a scenario; the format is described in docs/how-to/simulate.md. */
final class ScenarioReader {
  private static final List<String> STATUSES = List.of("True", "False", "Unknown");

  private static final List<String> OUTCOMES =
      Stream.of(Outcome.values()).map(outcome -> outcome.name().toLowerCase(Locale.ROOT)).toList();
  private static final int MAX_REPETITIONS = 1000;
  private static final String CHANGES = "set, label, delete, confirm or pause";

  private final Set<String> names = new LinkedHashSet<>();

  /** Reads a scenario; problems are added to the field's. */
  Scenario read(Field root) {
    Fields scenario = root.object();
    if (scenario == null) {
      if (!root.isPresent()) {
        root.required("a scenario with nodes and events");
      }
      return new Scenario(List.of(), List.of(), List.of());
    }
    Field nodes = scenario.field("nodes");
    List<NodeGroup> groups = new ArrayList<>();
    if (!nodes.isPresent()) {
      nodes.required("the cluster's nodes");
    }
    for (Field item : nodes.items()) {
      groups.add(group(item));
    }
    List<Event> events = new ArrayList<>();
    for (Field item : scenario.field("events").items()) {
      events.addAll(events(item));
    }
    List<Remediator> remediators = new ArrayList<>();
    for (Field item : scenario.field("remediators").items()) {
      Remediator remediator = remediator(item);
      if (remediator != null) {
        remediators.add(remediator);
      }
    }
    scenario.rejectUnknown(Set.of());
    return new Scenario(groups, events, remediators);
  }

  private NodeGroup group(Field item) {
    Fields group = item.objectOrEmpty();
    if (group == null) {
      return new NodeGroup(List.of(), Map.of());
    }
    Field nameField = group.field("name");
    String name = nameField.text("");
    if (name.isEmpty() && nameField.errors() == 0) {
      nameField.required("the node's name; with a count, the prefix of several names");
    }
    Field countField = group.field("count");
    int count = countField.int32(0);
    boolean countable = !countField.isPresent() || (count >= 1 && count <= NodeNames.LARGEST);
    if (!countable) {
      countField.invalid("must be a number from 1 to " + NodeNames.LARGEST);
    }
    Map<String, String> labels = new HashMap<>();
    Field labelsField = group.field("labels");
    Fields given = labelsField.object();
    if (given != null) {
      given.names().forEach(label -> labels.put(label, given.keyed(label).text("")));
    }
    group.rejectUnknown(Set.of());
    List<String> members =
        countField.isPresent() && countable
            ? NodeNames.expand(name + "-1.." + count)
            : List.of(name);
    for (String member : members) {
      if (!names.add(member)) {
        nameField.duplicate("node " + member + " already exists");
        break;
      }
    }
    return new NodeGroup(members, labels);
  }

  private List<Event> events(Field item) {
    Fields event = item.objectOrEmpty();
    if (event == null) {
      return List.of();
    }
    Duration at = time(event.field("at"), true);
    Field everyField = event.field("every");
    Duration every = time(everyField, false);
    Field timesField = event.field("times");
    int times = timesField.int32(1);
    if (times < 1 || times > MAX_REPETITIONS) {
      timesField.invalid("must be a number from 1 to " + MAX_REPETITIONS);
      times = 1;
    }
    if (timesField.isPresent() && !everyField.isPresent()) {
      everyField.required("how much later to repeat it");
    }
    List<Change> changes = changes(event, item);
    event.rejectUnknown(Set.of());
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      Duration moment = at.plus(every.multipliedBy(i));
      changes.forEach(change -> events.add(new Event(moment, change)));
    }
    return events;
  }

  private List<Change> changes(Fields event, Field item) {
    int errors = item.errors();
    Field nodesField = event.field("nodes");
    List<String> nodes = nodes(nodesField);
    List<Change> changes = new ArrayList<>();
    for (Field condition : FieldRules.entries(event.field("set"))) {
      String status = FieldRules.oneOf(condition, STATUSES);
      if (status != null) {
        changes.add(new Change.Condition(nodes, condition.name(), status));
      }
    }
    for (Field label : FieldRules.entries(event.field("label"))) {
      changes.add(new Change.Label(nodes, label.name(), label.text()));
    }
    if (event.field("delete").bool(false)) {
      changes.add(new Change.Removal(nodes));
    }
    if (event.field("confirm").bool(false)) {
      changes.add(new Change.Confirmation(nodes));
    }
    boolean aboutNodes = !changes.isEmpty();
    Field pause = event.field("pause");
    if (pause.isPresent()) {
      changes.add(new Change.Pause(pause.texts()));
    }
    if (changes.isEmpty() && item.errors() == errors) {
      item.required("what happens: " + CHANGES);
    } else if (aboutNodes && !nodesField.isPresent()) {
      nodesField.required("the affected nodes, such as worker-1..30");
    }
    return changes;
  }

  private @Nullable Remediator remediator(Field item) {
    Fields remediator = item.objectOrEmpty();
    if (remediator == null) {
      return null;
    }
    String kind = ObjectType.kind(remediator.field("kind"), "the remediations it reacts to");
    List<String> nodes = nodes(remediator.field("nodes"));
    Duration after = time(remediator.field("after"), false);
    Field outcomeField = remediator.field("outcome");
    String word = outcomeField.text("nothing");
    if (!OUTCOMES.contains(word)) {
      outcomeField.unsupported(OUTCOMES);
      word = "nothing";
    }
    Duration cleanup = time(remediator.field("cleanup"), false);
    remediator.rejectUnknown(Set.of());
    return new Remediator(
        kind == null ? "" : kind,
        nodes,
        after,
        Outcome.valueOf(word.toUpperCase(Locale.ROOT)),
        cleanup);
  }

  private static Duration time(Field field, boolean required) {
    if (required && !field.isPresent()) {
      field.required("when it happens, such as 5m");
    }
    Duration time = field.duration();
    if (time != null && time.isNegative()) {
      field.invalid("must not be negative");
      return Duration.ZERO;
    }
    return time == null ? Duration.ZERO : time;
  }

  /** One name or range, or a list of them. */
  private List<String> nodes(Field field) {
    Set<String> nodes = new LinkedHashSet<>();
    List<Field> parts = field.isList() ? field.items() : List.of(field);
    for (Field part : parts) {
      String text = part.text("");
      if (!text.isEmpty()) {
        addNodes(part, text, nodes);
      }
    }
    return List.copyOf(nodes);
  }

  private void addNodes(Field field, String text, Set<String> nodes) {
    try {
      for (String name : NodeNames.expand(text)) {
        if (!names.contains(name)) {
          field.invalid("there is no node " + name + " in this scenario");
          return;
        }
        nodes.add(name);
      }
    } catch (IllegalArgumentException noRange) {
      field.invalid("must be a name or a range of names such as worker-1..30");
    }
  }
}
