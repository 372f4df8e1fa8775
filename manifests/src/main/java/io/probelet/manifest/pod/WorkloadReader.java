package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.selector.LabelSelector;
import io.probelet.document.selector.LabelSelectorReader;
import io.probelet.document.tree.Node;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the pod of a workload: one, from its Pod template. */
final class WorkloadReader {
  private static final String ALWAYS = "Always";
  private static final List<String> COUNTS = List.of("replicas", "parallelism", "completions");
  private static final String FIRST_REPLICA = "-0";

  private final Path file;
  private final PodReader pods;
  private final Mode mode;

  /** Creates a reader whose Pod templates another one reads. */
  WorkloadReader(Path file, PodReader pods, Mode mode) {
    this.file = file;
    this.pods = pods;
    this.mode = mode;
  }

  /**
   * Reads a workload.
   *
   * @return its pod; null when it has errors, or when none is to be run
   */
  @Nullable PodSource read(Fields workload, WorkloadKind kind, int document, Problems problems) {
    int errors = workload.errors();
    PodMetadata metadata = named(PodMetadata.ofWorkload(workload.field("metadata")), kind);
    Field specField = workload.field("spec");
    workload.rejectUnknown(Set.of("apiVersion", "kind", "status"));
    Fields spec = specField.objectOrEmpty();
    if (spec == null) {
      return null;
    }
    Fields owner = kind == WorkloadKind.CRON_JOB ? jobOf(spec) : spec;
    if (owner == null) {
      return null;
    }
    Field template = owner.field("template");
    Fields pod = template.object();
    Node content = template.value();
    if (!template.isPresent()) {
      template.required("the template of its pods");
    }
    PodSource read = null;
    if (pod != null && content != null) {
      PodFrame frame =
          new PodFrame(
              kind.kind(),
              PodMetadata.ofTemplate(pod.field("metadata"), metadata),
              Set.of(),
              claims(owner.field("volumeClaimTemplates")));
      read = pods.read(frame, pod, content, document, problems);
      restartPolicy(pod, kind);
    }
    if (kind.serves()) {
      selector(owner.field("selector"), pod);
    }
    COUNTS.forEach(each -> count(owner.field(each)));
    problems.addNews(mistyped(specField, kind, document));
    boolean runs = mode != Mode.STANDALONE_PROCESS || runsOne(spec, owner);
    return workload.errors() == errors && runs ? read : null;
  }

  /** The first pod of a StatefulSet has a name that is known beforehand. */
  private static PodMetadata named(PodMetadata workload, WorkloadKind kind) {
    boolean numbered = kind == WorkloadKind.STATEFUL_SET && !workload.name().isEmpty();
    return numbered
        ? new PodMetadata(
            workload.namespace(), workload.name() + FIRST_REPLICA, workload.nameAt(), "", null)
        : workload;
  }

  private static @Nullable Fields jobOf(Fields cronJob) {
    Field template = cronJob.field("jobTemplate");
    Fields job = template.objectOrEmpty();
    return job == null ? null : job.field("spec").objectOrEmpty();
  }

  private static Set<String> claims(Field templates) {
    Set<String> names = new HashSet<>();
    for (Field item : templates.items()) {
      Fields claim = item.object();
      Fields metadata = claim == null ? null : claim.field("metadata").object();
      if (metadata != null) {
        names.add(metadata.field("name").text(""));
      }
    }
    return names;
  }

  /** Pods of a Job end, those of the others are to run for ever. */
  private static void restartPolicy(Fields template, WorkloadKind kind) {
    Fields spec = template.field("spec").objectOrEmpty();
    if (spec == null) {
      return;
    }
    Field field = spec.field("restartPolicy");
    String policy = field.text("");
    if (kind.serves() && List.of("OnFailure", "Never").contains(policy)) {
      field.unsupported(List.of(ALWAYS));
    } else if (!kind.serves() && (policy.isEmpty() || policy.equals(ALWAYS))) {
      field.required("valid values: \"OnFailure\", \"Never\"");
    }
  }

  private static void selector(Field field, @Nullable Fields template) {
    if (!field.isPresent()) {
      field.required("the labels of its pods");
      return;
    }
    LabelSelector selector = LabelSelectorReader.read(field);
    if (selector == null || template == null) {
      return;
    }
    Fields metadata = template.field("metadata").objectOrEmpty();
    Field labels = metadata == null ? null : metadata.field("labels");
    if (selector.isEmpty()) {
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

  private static void count(Field field) {
    if (field.int32(0) < 0) {
      field.invalid("must be greater than or equal to 0");
    }
  }

  /** What is wrong with all the fields that are of no use here, but that a cluster checks. */
  private Problems mistyped(Field spec, WorkloadKind kind, int document) {
    Problems found = new Problems(file, document);
    Node value = spec.value();
    if (value != null) {
      Scope scope = new Scope(found, Severity.WARNING);
      PodTypes.check(Field.ofDocument(scope, spec.path(), value), kind.specType());
    }
    return found;
  }

  /** One pod is run as processes, whatever number is asked for; none where none is asked for. */
  private static boolean runsOne(Fields spec, Fields owner) {
    Field schedule = spec.field("schedule");
    if (schedule.isPresent()) {
      schedule.warning("has no effect: the pod is run once, and at once");
    }
    for (Fields each : spec == owner ? List.of(spec) : List.of(spec, owner)) {
      Field suspend = each.field("suspend");
      if (suspend.bool(false)) {
        suspend.warning("nothing is run as long as it is suspended");
        return false;
      }
    }
    for (String name : COUNTS) {
      Field number = owner.field(name);
      int asked = number.int32(1);
      if (asked == 0) {
        number.warning("nothing is run: none is asked for");
        return false;
      } else if (asked != 1) {
        number.warning("one pod is run here, not " + asked);
      }
    }
    return true;
  }
}
