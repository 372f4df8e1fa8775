package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.name.DnsName;
import io.probelet.document.selector.LabelSelector;
import io.probelet.document.selector.LabelSelectorReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The API server's rules for a workload around its Pod template. Of schedules, limits of strategies
 * and failure policies it checks only the types.
 */
final class WorkloadFieldRules {
  private static final String ALWAYS = "Always";
  private static final List<String> ENDING = List.of("OnFailure", "Never");

  private WorkloadFieldRules() {}

  /** Checks name, labels and annotations of a workload. */
  static void metadata(Field field, WorkloadKind kind) {
    Fields metadata = field.object();
    if (metadata == null) {
      return;
    }
    Field name = metadata.field("name");
    String text = name.text("");
    if (text.length() > kind.longestName()) {
      name.invalid("must be no more than %d characters".formatted(kind.longestName()));
    } else if (kind == WorkloadKind.STATEFUL_SET && !text.isEmpty() && text.contains(".")) {
      DnsName.LABEL.check(name, text);
    }
    LabelRules.labels(metadata.field("labels"));
    LabelRules.annotations(metadata.field("annotations").object());
  }

  /**
   * Checks the fields besides the template.
   *
   * @param owner the parent of the template: the spec, or that of a CronJob's jobs
   * @param template the template; null if there is none
   */
  static void spec(Fields spec, Fields owner, @Nullable Fields template, WorkloadKind kind) {
    for (String name : kind.numbers()) {
      Field number = (kind.isOfJobs(name) ? owner : spec).field(name);
      if (number.int64(0) < 0) {
        number.invalid("must be greater than or equal to 0");
      }
    }
    words(spec, owner, kind);
    selector(owner.field("selector"), template, kind);
    Fields pod = template == null ? null : template.field("spec").objectOrEmpty();
    if (pod != null) {
      pod(pod, kind);
    }
  }

  private static void words(Fields spec, Fields owner, WorkloadKind kind) {
    switch (kind) {
      case DEPLOYMENT -> type(spec.field("strategy"), "Recreate");
      case DAEMON_SET -> type(spec.field("updateStrategy"), "OnDelete");
      case STATEFUL_SET -> {
        type(spec.field("updateStrategy"), "OnDelete");
        word(spec.field("podManagementPolicy"), List.of("OrderedReady", "Parallel"));
      }
      case CRON_JOB -> word(spec.field("concurrencyPolicy"), List.of("Allow", "Forbid", "Replace"));
      case REPLICA_SET, JOB -> {}
    }
    if (!kind.serves()) {
      FieldRules.oneOf(owner.field("completionMode"), List.of("NonIndexed", "Indexed"));
    }
  }

  private static void type(Field strategy, String otherwise) {
    Fields fields = strategy.object();
    if (fields != null) {
      word(fields.field("type"), List.of("RollingUpdate", otherwise));
    }
  }

  /** The API server treats an empty text as missing. */
  private static void word(Field field, List<String> words) {
    if (!field.text("").isEmpty()) {
      FieldRules.oneOf(field, words);
    }
  }

  /** Pods of a Job end; pods of other workloads run permanently. */
  private static void pod(Fields spec, WorkloadKind kind) {
    Field field = spec.field("restartPolicy");
    String policy = field.text("");
    if (kind.serves() && ENDING.contains(policy)) {
      field.unsupported(List.of(ALWAYS));
    } else if (!kind.serves() && (policy.isEmpty() || policy.equals(ALWAYS))) {
      field.required("valid values: \"OnFailure\", \"Never\"");
    }
    Field deadline = spec.field("activeDeadlineSeconds");
    if (kind.serves() && deadline.isPresent()) {
      deadline.forbidden("must not be set for pods of a " + kind.kind());
    }
  }

  private static void selector(Field field, @Nullable Fields template, WorkloadKind kind) {
    if (!field.isPresent()) {
      if (kind.serves()) {
        field.required("must select the labels of the template");
      }
      return;
    }
    if (kind == WorkloadKind.CRON_JOB) {
      field.forbidden("must not be set; the cluster generates one for each Job");
      return;
    }
    LabelSelector selector = LabelSelectorReader.read(field);
    if (selector == null || template == null) {
      return;
    }
    Fields metadata = template.field("metadata").objectOrEmpty();
    Field labels = metadata == null ? null : metadata.field("labels");
    if (selector.isEmpty() && kind.serves()) {
      field.invalid("must name at least one label");
    } else if (labels != null && !selector.matches(texts(labels))) {
      labels.invalid("the selector does not match the labels of the template");
    }
  }

  private static Map<String, String> texts(Field labels) {
    Map<String, String> texts = new HashMap<>();
    FieldRules.entries(labels).forEach(label -> texts.put(label.name(), label.text("")));
    return texts;
  }
}
