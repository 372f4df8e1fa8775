package io.probelet.remediator.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.NodeJson;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads which Job to run: as much as is needed of it, the API server checks the rest. */
final class JobTemplateReader {
  private static final int MAX_CHARS = 65_536;
  private static final int MAX_CONTAINERS = 20;

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
    if (FieldRules.objects(containers).size() > MAX_CONTAINERS) {
      containers.error("Too many: must have at most %d items".formatted(MAX_CONTAINERS));
    }
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

  private static Field child(Field field, String name) {
    Fields object = field.objectOrEmpty();
    return object == null ? field : object.field(name);
  }
}
