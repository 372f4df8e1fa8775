package io.probelet.cluster.care;

import io.probelet.cluster.care.ClusterHealthSpec.CaSecrets;
import io.probelet.cluster.care.ClusterHealthSpec.ComponentKind;
import io.probelet.cluster.care.ClusterHealthSpec.Components;
import io.probelet.cluster.care.ClusterHealthSpec.Contribution;
import io.probelet.cluster.care.ClusterHealthSpec.ExpressionCheck;
import io.probelet.cluster.care.ClusterHealthSpec.Heartbeat;
import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.field.ApiDuration;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.name.ObjectType;
import io.probelet.document.name.QualifiedName;
import io.probelet.document.selector.LabelSelector;
import io.probelet.document.selector.LabelSelectorReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the parts of a spec that select objects: components, contributions and secrets. */
final class ComponentsReader {
  static final Components KUBE_SYSTEM =
      new Components(
          CareConditions.SYSTEM_COMPONENTS_HEALTHY,
          List.of(ComponentKind.values()),
          List.of("kube-system"),
          LabelSelector.EVERYTHING,
          List.of(),
          0,
          null,
          List.of());

  private static final Duration STALE_AFTER = Duration.ofMinutes(5);

  /** Each lists objects in every round. */
  private static final int MAX_EXPRESSIONS = 32;

  private final List<String> checks;

  /** Creates a reader with the checks that components may name. */
  ComponentsReader(NamedChecks checks) {
    this.checks = checks.names();
  }

  List<Components> components(Field field) {
    return field.isPresent()
        ? FieldRules.objects(field).stream().map(this::components).toList()
        : List.of(KUBE_SYSTEM);
  }

  private Components components(Fields components) {
    Field typeField = components.field("conditionType");
    if (!typeField.isPresent()) {
      typeField.required("name one, for example " + CareConditions.SYSTEM_COMPONENTS_HEALTHY);
    }
    String type = conditionType(typeField);
    List<ComponentKind> kinds = new ArrayList<>();
    for (Field item : components.field("kinds").items()) {
      ComponentKind kind = FieldRules.oneOf(item, ComponentKind.values());
      if (kind != null) {
        kinds.add(kind);
      }
    }
    List<String> namespaces = components.field("namespaces").texts();
    LabelSelector selector = selector(components.field("labelSelector"));
    List<String> required = components.field("required").texts();
    int minimum = FieldRules.atLeast(components.field("minimum"), 0, 0);
    Duration rollout = ApiDuration.read(components.field("rolloutThreshold"));
    Field named = components.field("checks");
    named.items().forEach(check -> FieldRules.oneOf(check, checks));
    components.rejectUnknown(Set.of());
    return new Components(
        type,
        kinds.isEmpty() ? List.of(ComponentKind.values()) : kinds,
        namespaces,
        selector,
        required,
        minimum,
        rollout,
        named.texts());
  }

  List<Contribution> contributions(Field field) {
    return FieldRules.objects(field).stream().map(ComponentsReader::contribution).toList();
  }

  private static Contribution contribution(Fields contribution) {
    String apiVersion =
        ObjectType.apiVersion(contribution.field("apiVersion"), "for example example.org/v1");
    String kind =
        ObjectType.kind(contribution.field("kind"), "the kind of the resources that report");
    List<String> namespaces = contribution.field("namespaces").texts();
    Field typesField = contribution.field("conditionTypes");
    if (typesField.isEmpty()) {
      typesField.required("name the conditions to take over");
    }
    List<String> types = conditionTypes(typesField);
    Heartbeat heartbeat = heartbeat(contribution.field("heartbeat"));
    contribution.rejectUnknown(Set.of());
    return new Contribution(orEmpty(apiVersion), orEmpty(kind), namespaces, types, heartbeat);
  }

  private static @Nullable Heartbeat heartbeat(Field field) {
    Fields heartbeat = field.object();
    if (heartbeat == null) {
      return null;
    }
    String namespace =
        FieldRules.requiredText(heartbeat.field("namespace"), "the namespace of a Lease");
    String name = FieldRules.requiredText(heartbeat.field("name"), "the name of a Lease");
    Field staleField = heartbeat.field("staleAfter");
    Duration staleAfter = ApiDuration.read(staleField);
    if (staleAfter != null && staleAfter.isZero()) {
      staleField.invalid("must be more than 0");
    }
    heartbeat.rejectUnknown(Set.of());
    return new Heartbeat(
        orEmpty(namespace), orEmpty(name), staleAfter == null ? STALE_AFTER : staleAfter);
  }

  List<ExpressionCheck> expressions(Field field) {
    List<Fields> items = FieldRules.objects(field);
    if (items.size() > MAX_EXPRESSIONS) {
      field.error(
          "must have at most %d entries, found %d".formatted(MAX_EXPRESSIONS, items.size()));
      return List.of();
    }
    List<ExpressionCheck> all = new ArrayList<>();
    for (Fields check : items) {
      Field typeField = check.field("conditionType");
      if (!typeField.isPresent()) {
        typeField.required("name the condition that the objects determine");
      }
      String type = conditionType(typeField);
      String apiVersion =
          ObjectType.apiVersion(check.field("apiVersion"), "for example example.org/v1");
      String kind = ObjectType.kind(check.field("kind"), "the kind of the objects");
      List<String> namespaces = check.field("namespaces").texts();
      LabelSelector selector = selector(check.field("labelSelector"));
      Field whenField = check.field("healthyWhen");
      CompiledExpression healthyWhen =
          FieldRules.requiredText(whenField, "an expression over object and conditions") == null
              ? null
              : CompiledExpression.read(whenField, ObjectExpression.DECLARED);
      check.rejectUnknown(Set.of());
      if (healthyWhen != null) {
        all.add(
            new ExpressionCheck(
                type, orEmpty(apiVersion), orEmpty(kind), namespaces, selector, healthyWhen));
      }
    }
    return all;
  }

  List<CaSecrets> caSecrets(Field field) {
    List<CaSecrets> all = new ArrayList<>();
    for (Fields secrets : FieldRules.objects(field)) {
      all.add(
          new CaSecrets(
              secrets.field("namespaces").texts(),
              selector(secrets.field("labelSelector")),
              secrets.field("names").texts()));
      secrets.rejectUnknown(Set.of());
    }
    return all;
  }

  static List<String> conditionTypes(Field field) {
    List<String> types = new ArrayList<>();
    for (Field item : field.items()) {
      if (!item.isPresent()) {
        item.invalid("must be a string");
      }
      types.add(conditionType(item));
    }
    return types;
  }

  private static String conditionType(Field field) {
    String type = field.text("");
    if (field.isText() && !QualifiedName.isValid(type)) {
      field.invalid(QualifiedName.RULE);
    }
    return type;
  }

  private static LabelSelector selector(Field field) {
    LabelSelector selector = LabelSelectorReader.read(field);
    return selector == null ? LabelSelector.EVERYTHING : selector;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
