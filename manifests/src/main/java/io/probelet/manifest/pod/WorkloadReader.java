package io.probelet.manifest.pod;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Position;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one pod of a workload, from its Pod template. */
final class WorkloadReader {
  private static final List<String> REPLICAS = List.of("replicas");
  private static final List<String> COUNTS = List.of("parallelism", "completions");
  private static final String FIRST_REPLICA = "-0";

  private static final PodMetadata UNNAMED =
      new PodMetadata("default", "job", Position.UNKNOWN, "", null);

  private final Path file;
  private final PodReader pods;
  private final Mode mode;

  /** Creates a reader that uses another reader for Pod templates. */
  WorkloadReader(Path file, PodReader pods, Mode mode) {
    this.file = file;
    this.pods = pods;
    this.mode = mode;
  }

  /**
   * Reads a workload.
   *
   * @return its pod; null if it has errors, or if no pod should run
   */
  @Nullable PodSource read(Fields workload, WorkloadKind kind, int document, Problems problems) {
    int errors = workload.errors();
    PodMetadata metadata = named(PodMetadata.ofWorkload(workload.field("metadata")), kind);
    WorkloadFieldRules.metadata(workload.field("metadata"), kind);
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
    }
    WorkloadFieldRules.spec(spec, owner, pod, kind);
    problems.addNew(mistyped(workload, kind, document));
    boolean runs = mode != Mode.STANDALONE_PROCESS || runsOne(spec, owner, kind);
    return workload.errors() == errors && runs ? read : null;
  }

  /**
   * Checks the template of a Job that a controller creates and names.
   *
   * @param template with a value
   * @return its problems
   */
  Problems checkJob(Field template, int document) {
    Problems found = new Problems(file, document);
    Problems types = new Problems(file, document);
    Node value = template.value();
    if (value == null) {
      return found;
    }
    Scope scope = new Scope(found, Severity.WARNING);
    Fields job = Field.ofDocument(scope, template.path(), value).object();
    Fields spec = job == null ? null : job.field("spec").object();
    Field podField = spec == null ? null : spec.field("template");
    Fields pod = podField == null ? null : podField.object();
    Node content = podField == null ? null : podField.value();
    if (spec != null && pod != null && content != null) {
      PodMetadata metadata = PodMetadata.ofTemplate(pod.field("metadata"), UNNAMED);
      PodFrame frame = new PodFrame(WorkloadKind.JOB.kind(), metadata, Set.of(), Set.of());
      pods.read(frame, pod, content, document, found);
      WorkloadFieldRules.spec(spec, spec, pod, WorkloadKind.JOB);
    }
    Scope again = new Scope(types, Severity.WARNING);
    PodTypes.check(Field.ofDocument(again, template.path(), value), "JobTemplateSpec");
    found.addNew(types);
    return found;
  }

  /** The first pod of a StatefulSet has a predictable name. */
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

  /** Checks all fields that Probelet does not use but a cluster validates. */
  private Problems mistyped(Fields workload, WorkloadKind kind, int document) {
    Problems found = new Problems(file, document);
    Scope scope = new Scope(found, Severity.WARNING);
    check(workload.field("metadata"), "ObjectMeta", scope);
    check(workload.field("spec"), kind.specType(), scope);
    return found;
  }

  private static void check(Field field, String type, Scope scope) {
    Node value = field.value();
    if (value != null) {
      PodTypes.check(Field.ofDocument(scope, field.path(), value), type);
    }
  }

  /** One pod runs as local processes, whatever the number of replicas; none if the number is 0. */
  private static boolean runsOne(Fields spec, Fields owner, WorkloadKind kind) {
    Field schedule = spec.field("schedule");
    if (schedule.isPresent()) {
      schedule.warning(Complaint.NO_EFFECT, "has no effect: the pod runs once, immediately");
    }
    for (Fields each : spec == owner ? List.of(spec) : List.of(spec, owner)) {
      Field suspend = each.field("suspend");
      if (suspend.bool(false)) {
        suspend.warning("no pod runs while this is true");
        return false;
      }
    }
    for (String name : kind.serves() ? REPLICAS : COUNTS) {
      Field number = owner.field(name);
      int asked = number.int32(1);
      if (asked == 0) {
        number.warning("no pod runs, because the number is 0");
        return false;
      } else if (asked != 1) {
        number.warning("one pod runs here, not " + asked);
      }
    }
    return true;
  }
}
