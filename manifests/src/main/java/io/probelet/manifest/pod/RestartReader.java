package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.probe.ContainerSpec.RestartRule;
import io.probelet.probe.RestartPolicy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads restart policies of pod and container, and the container's restart rules. */
final class RestartReader {
  private static final List<String> POLICIES = List.of("Always", "OnFailure", "Never");
  private static final String ALL = "RestartAllContainers";
  private static final List<String> ACTIONS = List.of("Restart", ALL);
  private static final int MAX_RULES = 20;
  private static final int MAX_CODES = 255;

  private RestartReader() {}

  /** Returns the policy, empty if there is none or it is invalid. */
  static Optional<RestartPolicy> policy(Field field) {
    return switch (field.text("")) {
      case "" -> Optional.empty();
      case "Always" -> Optional.of(RestartPolicy.ALWAYS);
      case "OnFailure" -> Optional.of(RestartPolicy.ON_FAILURE);
      case "Never" -> Optional.of(RestartPolicy.NEVER);
      default -> {
        field.unsupported(POLICIES);
        yield Optional.empty();
      }
    };
  }

  /** Returns a container's policy, empty if there is none or it is invalid. */
  static Optional<RestartPolicy> ofContainer(Field field) {
    if (field.isText() && field.text("").isEmpty()) { // for a pod it means none
      field.unsupported(POLICIES);
    }
    return policy(field);
  }

  /** Returns a container's rules. */
  static List<RestartRule> rules(Fields container) {
    Field field = container.field("restartPolicyRules");
    List<Field> items = field.items();
    if (!items.isEmpty() && !container.field("restartPolicy").isPresent()) {
      container
          .field("restartPolicy")
          .required("must be specified when restartPolicyRules are used");
    }
    if (items.size() > MAX_RULES) {
      field.error("Too many: " + items.size() + ": must have at most " + MAX_RULES + " items");
    }
    List<RestartRule> rules = new ArrayList<>();
    for (Field item : items) {
      Fields rule = item.object();
      if (rule == null) {
        if (!item.isPresent()) {
          item.required("a rule with action and exitCodes");
        }
        continue;
      }
      boolean pod = restartsPod(rule.field("action"));
      rules.add(rule(rule.field("exitCodes"), pod));
      rule.rejectUnknown(Set.of());
    }
    return rules;
  }

  /** Returns whether the rule restarts all containers of the pod. */
  private static boolean restartsPod(Field field) {
    String action = field.text("");
    if (action.isEmpty()) {
      field.required("must be Restart or RestartAllContainers");
    } else if (!ACTIONS.contains(action)) {
      field.unsupported(ACTIONS);
    }
    return action.equals(ALL);
  }

  private static RestartRule rule(Field field, boolean pod) {
    Fields exitCodes = field.object();
    if (exitCodes == null) {
      if (!field.isPresent()) {
        field.required("must be specified");
      }
      return new RestartRule(true, Set.of(), pod);
    }
    Field operator = exitCodes.field("operator");
    switch (operator.text("")) {
      case "" -> operator.required("must be In or NotIn");
      case "In", "NotIn" -> {}
      default -> operator.unsupported(List.of("In", "NotIn"));
    }
    Field values = exitCodes.field("values");
    Set<Integer> codes = new LinkedHashSet<>();
    for (Field item : values.items()) {
      codes.add(item.int32(0)); // twice means once
    }
    int size = values.items().size();
    if (size > MAX_CODES) {
      values.error("Too many: " + size + ": must have at most " + MAX_CODES + " items");
    }
    exitCodes.rejectUnknown(Set.of());
    return new RestartRule(!operator.text("").equals("NotIn"), codes, pod);
  }
}
