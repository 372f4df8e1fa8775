package io.probelet.nodehealth.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads how to remediate: one template, or several in their order (NHC-5). */
final class StepsReader {
  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Set<String> REFERENCE =
      Set.of("apiVersion", "kind", "namespace", "name", "uid", "resourceVersion", "fieldPath");

  private final TemplateKinds kinds;

  StepsReader(TemplateKinds kinds) {
    this.kinds = kinds;
  }

  List<RemediationStep> read(JsonField spec) {
    JsonField single = spec.at("remediationTemplate");
    JsonField escalating = spec.at("escalatingRemediations");
    if (single.isPresent() && !escalating.isEmpty()) {
      escalating.forbidden("may not be set together with remediationTemplate");
    } else if (!single.isPresent() && escalating.isEmpty()) {
      spec.required("one of remediationTemplate and escalatingRemediations");
    }
    List<RemediationStep> steps = new ArrayList<>();
    if (single.isPresent()) {
      ObjectRef template = template(single);
      if (template != null) {
        steps.add(new RemediationStep(template, null));
      }
    }
    steps.addAll(escalating(escalating));
    return steps;
  }

  private List<RemediationStep> escalating(JsonField list) {
    Map<Long, RemediationStep> byOrder = new TreeMap<>();
    Map<String, String> kindsSeen = new HashMap<>();
    for (JsonField item : list.items()) {
      if (!item.isObject()) {
        continue;
      }
      item.rejectUnknown(Set.of("remediationTemplate", "order", "timeout"));
      ObjectRef template = template(item.at("remediationTemplate"));
      Long order = order(item.at("order"));
      Duration timeout = timeout(item.at("timeout"));
      if (template != null) {
        checkKind(item.at("remediationTemplate").at("kind"), template, kindsSeen);
      }
      if (order != null && byOrder.containsKey(order)) {
        item.at("order").duplicate(order + ": each remediation needs an order of its own");
      } else if (template != null && order != null && timeout != null) {
        byOrder.put(order, new RemediationStep(template, timeout));
      }
    }
    return List.copyOf(byOrder.values());
  }

  private void checkKind(JsonField field, ObjectRef template, Map<String, String> seen) {
    if (seen.putIfAbsent(template.kind(), template.name()) == null) {
      return;
    }
    String rule =
        "every template of this kind carries the annotation " + WireNames.MULTIPLE_TEMPLATES;
    switch (kinds.severalOf(template.apiVersion(), template.kind())) {
      case ALLOWED -> {}
      case REFUSED ->
          field.duplicate(template.kind() + ": a kind may be used twice only if " + rule);
      case UNKNOWN -> field.remark(template.kind() + " is used twice; that works only if " + rule);
    }
  }

  private static @Nullable Long order(JsonField field) {
    JsonNode value = field.value();
    if (value == null) {
      field.required("a number; remediations with lower ones come first");
      return null;
    }
    if (!value.isIntegralNumber()) {
      field.invalid("must be a whole number");
      return null;
    }
    if (!value.canConvertToLong()) {
      field.invalid("must be between " + Long.MIN_VALUE + " and " + Long.MAX_VALUE);
      return null;
    }
    return value.longValue();
  }

  private static @Nullable Duration timeout(JsonField field) {
    if (!field.isPresent()) {
      field.required("how long to wait before the next remediation, such as 5m");
      return null;
    }
    Duration timeout = ScalarReader.duration(field);
    if (timeout != null && timeout.compareTo(SHORTEST) < 0) {
      field.invalid("must be at least 60s");
      return null;
    }
    return timeout;
  }

  private static @Nullable ObjectRef template(JsonField field) {
    if (!field.isPresent()) {
      field.required("the template to make the remediation from");
      return null;
    }
    if (!field.isObject()) {
      return null;
    }
    field.rejectUnknown(REFERENCE);
    String apiVersion = field.at("apiVersion").requiredText("the template's group and version");
    String name = field.at("name").requiredText("the template's name");
    String namespace = field.at("namespace").text();
    JsonField kindField = field.at("kind");
    String kind = kindField.requiredText("the template's kind");
    if (kind != null && (!kind.endsWith("Template") || kind.equals("Template"))) {
      kindField.invalid("must end with Template, as the remediation's kind is what is before it");
      return null;
    }
    return apiVersion == null || kind == null || name == null
        ? null
        : new ObjectRef(
            apiVersion, kind, namespace == null || namespace.isEmpty() ? null : namespace, name);
  }
}
