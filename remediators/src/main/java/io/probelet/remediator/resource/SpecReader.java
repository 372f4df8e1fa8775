package io.probelet.remediator.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.name.QualifiedName;
import io.probelet.remediator.resource.OutOfServiceSpec.Confirmation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the specs of the kinds, with the defaults and bounds that their definitions have (ACT-50).
 */
final class SpecReader {
  private static final DurationBounds TO_15_MINUTES = new DurationBounds("1s", "15m");
  private static final DurationBounds TO_AN_HOUR = new DurationBounds("1s", "1h");
  private static final DurationBounds TO_TWO_HOURS = new DurationBounds("1s", "2h");
  private static final DurationBounds TO_A_DAY = new DurationBounds("1s", "24h");
  private static final DurationBounds GRACE = new DurationBounds("0s", "1h");
  private static final DurationBounds STABLE = new DurationBounds("0s", "1h");

  private static final int MAX_CONDITIONS = 8;
  private static final List<String> STATUSES = List.of("True", "False", "Unknown");

  private SpecReader() {}

  static @Nullable RemediationSpec read(RemediationKind kind, Fields spec) {
    RemediationSpec read =
        switch (kind) {
          case SERVICE_RESTART -> serviceRestart(spec);
          case DRAIN -> drain(spec);
          case REBOOT -> reboot(spec);
          case OUT_OF_SERVICE -> outOfService(spec);
          case MACHINE -> new MachineSpec(TO_A_DAY.read(spec.field("within"), minutes(30)));
          case HOOK -> hook(spec);
        };
    spec.rejectUnknown(Set.of());
    return read;
  }

  private static Duration minutes(int minutes) {
    return Duration.ofMinutes(minutes);
  }

  private static ServiceRestartSpec serviceRestart(Fields spec) {
    return new ServiceRestartSpec(
        units(spec.field("units")),
        TO_15_MINUTES.read(spec.field("activeWithin"), minutes(1)),
        TO_AN_HOUR.read(spec.field("healthyWithin"), minutes(5)),
        conditions(spec.field("conditions")));
  }

  private static List<String> units(Field list) {
    if (list.isEmpty()) {
      list.required("the units to restart, such as [kubelet.service]");
    }
    List<Field> items = list.items();
    tooMany(list, items.size(), UnitName.MAX_UNITS);
    Set<String> units = new HashSet<>();
    List<String> inOrder = new ArrayList<>();
    for (Field item : items) {
      String unit = item.text("");
      if (!UnitName.isValid(unit)) {
        item.invalid(UnitName.RULE);
      } else if (units.add(unit)) {
        inOrder.add(unit);
      } else {
        item.duplicate("already listed");
      }
    }
    return inOrder;
  }

  private static void tooMany(Field list, int found, int most) {
    if (found > most) {
      list.error("Too many: %d: must have at most %d items".formatted(found, most));
    }
  }

  private static List<NodeConditionStatus> conditions(Field list) {
    if (!list.isPresent()) {
      return List.of(NodeConditionStatus.READY);
    }
    List<Fields> items = FieldRules.objects(list);
    tooMany(list, items.size(), MAX_CONDITIONS);
    Set<String> types = new HashSet<>();
    List<NodeConditionStatus> conditions = new ArrayList<>();
    for (Fields item : items) {
      Field typeField = item.field("type");
      Field statusField = item.field("status");
      String type = FieldRules.requiredText(typeField, "the node condition's type, such as Ready");
      String status = FieldRules.oneOf(statusField, STATUSES);
      item.rejectUnknown(Set.of());
      if (!statusField.isPresent()) {
        statusField.required("True, False or Unknown");
      }
      if (type != null && !QualifiedName.isValid(type)) {
        typeField.invalid("must be a condition's type, such as Ready or example.org/DiskHealthy");
      } else if (type != null && !types.add(type)) {
        item.self()
            .error(Complaint.DUPLICATE_VALUE, "Duplicate value: " + type + " is already listed");
      } else if (type != null && status != null) {
        conditions.add(new NodeConditionStatus(type, status));
      }
    }
    return conditions;
  }

  private static DrainSpec drain(Fields spec) {
    return new DrainSpec(
        TO_A_DAY.read(spec.field("timeout"), DrainSpec.DEFAULT.timeout()),
        spec.field("force").bool(DrainSpec.DEFAULT.force()),
        GRACE.read(spec.field("gracePeriod")),
        spec.field("evictUnmanagedPods").bool(DrainSpec.DEFAULT.evictUnmanagedPods()),
        spec.field("deleteEmptyDirData").bool(DrainSpec.DEFAULT.deleteEmptyDirData()),
        uncordon(spec.field("uncordon")));
  }

  private static @Nullable UncordonSpec uncordon(Field field) {
    Fields uncordon = field.object();
    if (uncordon == null) {
      return null;
    }
    Field list = uncordon.field("conditions");
    List<NodeConditionStatus> conditions = conditions(list);
    if (list.isPresent() && list.isEmpty()) {
      list.required("the conditions that the node must have");
    }
    Field job = uncordon.field("job");
    HookSpec.Target target = job.isPresent() ? JobTemplateReader.read(job) : null;
    UncordonSpec read =
        new UncordonSpec(
            conditions,
            STABLE.read(uncordon.field("for"), Duration.ZERO),
            target instanceof HookSpec.Target.Job(ObjectNode template) ? template : null,
            TO_A_DAY.read(uncordon.field("timeout"), minutes(15)));
    uncordon.rejectUnknown(Set.of());
    return read;
  }

  private static RebootSpec reboot(Fields spec) {
    Fields drainFields = spec.field("drain").object();
    DrainSpec drain = drainFields == null ? null : drain(drainFields);
    if (drainFields != null) {
      drainFields.rejectUnknown(Set.of());
    }
    RebootMode mode = FieldRules.oneOf(spec.field("mode"), RebootMode.values());
    return new RebootSpec(
        drain,
        mode == null ? RebootMode.REBOOT : mode,
        TO_15_MINUTES.read(spec.field("answerWithin"), minutes(1)),
        TO_TWO_HOURS.read(spec.field("rebootWithin"), minutes(10)));
  }

  private static @Nullable OutOfServiceSpec outOfService(Fields spec) {
    Confirmation confirmation = confirmation(spec.field("confirmation"));
    Duration within = TO_A_DAY.read(spec.field("confirmWithin"), minutes(15));
    return confirmation == null ? null : new OutOfServiceSpec(confirmation, within);
  }

  private static @Nullable Confirmation confirmation(Field field) {
    if (!field.isPresent()) {
      field.required("how to confirm that the node is off: {annotation: {}} or {hook: {url: …}}");
    }
    Fields confirmation = field.object();
    if (confirmation == null) {
      return null;
    }
    Field annotation = confirmation.field("annotation");
    Field hook = confirmation.field("hook");
    confirmation.rejectUnknown(Set.of());
    if (annotation.isPresent() == hook.isPresent()) {
      exactlyOne(field, annotation, hook);
      return null;
    }
    if (hook.isPresent()) {
      HttpsHook read = HttpsHookReader.read(hook);
      return read == null ? null : new Confirmation.ByHook(read);
    }
    Fields empty = annotation.object();
    if (empty == null) {
      return null;
    }
    empty.rejectUnknown(Set.of());
    return new Confirmation.ByAnnotation();
  }

  private static void exactlyOne(Field object, Field first, Field second) {
    if (first.isPresent()) {
      second.forbidden("may not be set together with " + first.name());
    } else {
      object.required("one of %s and %s".formatted(first.name(), second.name()));
    }
  }

  private static @Nullable HookSpec hook(Fields spec) {
    Field https = spec.field("https");
    Field job = spec.field("job");
    Duration within = TO_A_DAY.read(spec.field("within"), minutes(30));
    if (https.isPresent() == job.isPresent()) {
      exactlyOne(spec.self(), https, job);
      return null;
    }
    HookSpec.Target target;
    if (https.isPresent()) {
      HttpsHook read = HttpsHookReader.read(https);
      target = read == null ? null : new HookSpec.Target.Endpoint(read);
    } else {
      target = JobTemplateReader.read(job);
    }
    return target == null ? null : new HookSpec(target, within);
  }
}
