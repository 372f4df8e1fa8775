package io.probelet.remediator.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.NodeJson;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads which Job to run: as much as is needed of it, the API server checks the rest. */
final class JobTemplateReader {
  private static final int MAX_CHARS = 65_536;
  private static final int MAX_CONTAINERS = 20;

  /** The pods of Jobs end. */
  private static final List<String> POLICIES = List.of("OnFailure", "Never");

  private JobTemplateReader() {}

  static HookSpec.@Nullable Target read(Field field) {
    Fields job = field.object();
    if (job == null) {
      return null;
    }
    Field template = job.field("template");
    job.rejectUnknown(Set.of());
    if (!template.isPresent()) {
      template.required("the Job's metadata and spec, as a CronJob's jobTemplate");
    }
    int errors = field.errors();
    Field pod = child(child(child(template, "spec"), "template"), "spec");
    Field containers = child(pod, "containers");
    if (field.errors() == errors && template.isPresent() && containers.isEmpty()) {
      containers.required("the containers of the Job's pod");
    }
    if (field.errors() == errors && template.isPresent()) {
      restartPolicy(child(pod, "restartPolicy"));
    }
    containers(containers);
    containers(child(pod, "initContainers"));
    Node value = template.value();
    JsonNode json = value == null ? null : NodeJson.of(value).orElse(null);
    if (!(json instanceof ObjectNode object) || field.errors() != errors) {
      return null;
    }
    if (object.toString().length() > MAX_CHARS) {
      template.error(Complaint.TOO_LONG, "Too long: must be no more than 65536 characters as JSON");
      return null;
    }
    return new HookSpec.Target.Job(object);
  }

  private static void restartPolicy(Field field) {
    String policy = field.text();
    if (!field.isPresent() || (policy != null && policy.isEmpty())) {
      field.required("valid values: \"OnFailure\", \"Never\"");
    } else {
      FieldRules.oneOf(field, POLICIES);
    }
  }

  private static void containers(Field list) {
    List<Fields> containers = FieldRules.objects(list);
    if (containers.size() > MAX_CONTAINERS) {
      list.error("Too many: must have at most %d items".formatted(MAX_CONTAINERS));
    }
    for (Fields container : containers) {
      FieldRules.requiredText(container.field("name"), "the container's name");
      FieldRules.requiredText(container.field("image"), "the image to run");
    }
  }

  private static Field child(Field field, String name) {
    Fields object = field.objectOrEmpty();
    return object == null ? field : object.field(name);
  }
}
