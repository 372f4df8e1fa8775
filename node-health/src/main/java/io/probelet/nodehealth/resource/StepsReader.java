package io.probelet.nodehealth.resource;

import io.probelet.document.field.ApiDuration;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.name.ObjectType;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the remediations: one template, or several in order (NHC-5). */
final class StepsReader {
  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Set<String> UNUSED = Set.of("uid", "resourceVersion", "fieldPath");

  private final TemplateKinds kinds;

  StepsReader(TemplateKinds kinds) {
    this.kinds = kinds;
  }

  List<RemediationStep> read(Fields spec) {
    Field single = spec.field("remediationTemplate");
    Field escalating = spec.field("escalatingRemediations");
    if (single.isPresent() && !escalating.isEmpty()) {
      escalating.forbidden("may not be set together with remediationTemplate");
    } else if (!single.isPresent() && escalating.isEmpty()) {
      spec.self().required("one of remediationTemplate and escalatingRemediations");
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

  /** Whether a template has this kind, ignoring case. */
  static boolean names(Fields spec, String kind) {
    Stream<Field> escalating =
        spec.field("escalatingRemediations").isList()
            ? FieldRules.objects(spec.field("escalatingRemediations")).stream()
                .map(item -> item.field("remediationTemplate"))
            : Stream.of();
    return Stream.concat(Stream.of(spec.field("remediationTemplate")), escalating)
        .filter(Field::isObject)
        .flatMap(template -> Stream.ofNullable(template.object()))
        .anyMatch(template -> template.field("kind").scalar().equalsIgnoreCase(kind));
  }

  private List<RemediationStep> escalating(Field list) {
    Map<Long, RemediationStep> byOrder = new TreeMap<>();
    Map<String, String> kindsSeen = new HashMap<>();
    for (Fields item : FieldRules.objects(list)) {
      Field templateField = item.field("remediationTemplate");
      Field orderField = item.field("order");
      ObjectRef template = template(templateField);
      Long order = order(orderField);
      Duration timeout = timeout(item.field("timeout"));
      item.rejectUnknown(Set.of());
      if (template != null) {
        checkKind(templateField, template, kindsSeen);
      }
      if (order != null && byOrder.containsKey(order)) {
        orderField.duplicate("each remediation needs a unique order");
      } else if (template != null && order != null && timeout != null) {
        byOrder.put(order, new RemediationStep(template, timeout));
      }
    }
    return List.copyOf(byOrder.values());
  }

  private void checkKind(Field templateField, ObjectRef template, Map<String, String> seen) {
    Fields reference = templateField.object();
    if (reference == null || seen.putIfAbsent(template.kind(), template.name()) == null) {
      return;
    }
    Field kind = reference.field("kind");
    String rule =
        "every template of this kind carries the annotation " + WireNames.MULTIPLE_TEMPLATES;
    switch (kinds.severalOf(template.apiVersion(), template.kind())) {
      case ALLOWED -> {}
      case REFUSED -> kind.duplicate("a kind may be used twice only if " + rule);
      case UNKNOWN -> kind.warning(template.kind() + " is used twice; that works only if " + rule);
    }
  }

  private static @Nullable Long order(Field field) {
    if (!field.isPresent()) {
      field.required("a number; lower numbers come first");
      return null;
    }
    int errors = field.errors();
    long order = field.int64(0);
    return field.errors() == errors ? order : null;
  }

  private static @Nullable Duration timeout(Field field) {
    if (!field.isPresent()) {
      field.required("how long to wait before the next remediation, such as 5m");
      return null;
    }
    Duration timeout = ApiDuration.read(field);
    if (timeout != null && timeout.compareTo(SHORTEST) < 0) {
      field.invalid("must be at least 60s");
      return null;
    }
    return timeout;
  }

  private static @Nullable ObjectRef template(Field field) {
    if (!field.isPresent()) {
      field.required("the template to make the remediation from");
      return null;
    }
    Fields reference = field.object();
    if (reference == null) {
      return null;
    }
    String apiVersion =
        ObjectType.apiVersion(reference.field("apiVersion"), "the template's group and version");
    String name = FieldRules.requiredText(reference.field("name"), "the template's name");
    String namespace = reference.field("namespace").text("");
    Field kindField = reference.field("kind");
    String kind = ObjectType.kind(kindField, "the template's kind");
    reference.rejectUnknown(UNUSED);
    if (kind != null && (!kind.endsWith("Template") || kind.equals("Template"))) {
      kindField.invalid("must end with Template; the part before it is the remediation's kind");
      return null;
    }
    return apiVersion == null || kind == null || name == null
        ? null
        : new ObjectRef(apiVersion, kind, namespace.isEmpty() ? null : namespace, name);
  }
}
