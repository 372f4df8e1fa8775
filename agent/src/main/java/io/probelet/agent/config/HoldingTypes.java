package io.probelet.agent.config;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.field.Suggestion;
import io.probelet.document.tree.Node;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.monitor.rule.Monitor;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The conditions in {@code guard.holdOnConditions} that probably never hold a restart. */
final class HoldingTypes {
  private HoldingTypes() {}

  /**
   * Warns of each type that no known monitor sets. Monitors of the user's own are not read, because
   * they are files of another machine; if the configuration names some, only types that look
   * misspelled are reported.
   *
   * @param configuration the document
   * @param monitors as the configuration names them
   */
  static void warnOfUnset(Node.Mapping configuration, List<Path> monitors, Problems problems) {
    boolean own =
        monitors.stream()
            .anyMatch(
                path -> !path.equals(NodeSettings.BUILT_IN) && !path.equals(NodeSettings.NONE));
    Set<String> builtIn = new TreeSet<>();
    for (Monitor monitor : DefaultMonitors.with(List.of())) {
      monitor.conditions().forEach(condition -> builtIn.add(condition.type()));
    }
    Set<String> set = monitors.contains(NodeSettings.BUILT_IN) ? builtIn : Set.of();
    for (Field item : named(configuration, problems)) {
      String type = item.text("");
      if (ConditionSpec.isKubelets(type)) {
        item.warning(
            "has no effect: the kubelet sets this condition, and the guard reads only those of"
                + " monitors");
      } else if (!set.contains(type) && !type.isEmpty()) {
        String question = Suggestion.question(type, builtIn);
        if (!own) {
          item.warning(
              "no monitor in nodeMonitor.monitors sets this condition"
                  + (question.isEmpty() ? known(set) : question));
        } else if (!question.isEmpty() && !builtIn.contains(type)) {
          item.warning("no built-in monitor sets this condition" + question);
        }
      }
    }
  }

  private static String known(Set<String> set) {
    return set.isEmpty() ? "; there is none" : "; built-in ones set " + String.join(", ", set);
  }

  private static List<Field> named(Node.Mapping configuration, Problems problems) {
    Scope scope = new Scope(problems, Severity.ERROR);
    Fields file = Field.ofDocument(scope, "", configuration).object();
    Field guard = file == null ? null : file.field("guard");
    Fields section = guard != null && guard.isObject() ? guard.object() : null;
    Field types = section == null ? null : section.field("holdOnConditions");
    return types != null && types.isList() ? types.items() : List.of();
  }
}
