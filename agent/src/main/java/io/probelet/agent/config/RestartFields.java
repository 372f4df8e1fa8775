package io.probelet.agent.config;

import io.probelet.agent.config.RestartSettings.Removal;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.name.QualifiedName;
import io.probelet.health.GoDuration;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.probe.ProbeSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the sections {@code enforcement}, {@code guard}, {@code workloadGuard}, {@code
 * throttleGuard} and {@code readinessBudget}.
 */
final class RestartFields {
  private static final int MAX_PERCENT = 99;

  private RestartFields() {}

  static RestartSettings read(Fields file) {
    RestartSettings absent = RestartSettings.DEFAULT;
    Fields section = file.field("enforcement").objectOrEmpty();
    GuardSettings guard = guard(file.field("guard"));
    WorkloadGuardSettings workloads =
        workloads(file.field("workloadGuard"), WorkloadGuardSettings.DEFAULT);
    WorkloadGuardSettings readiness =
        workloads(file.field("readinessBudget"), WorkloadGuardSettings.READINESS);
    ThrottleSettings throttle = throttle(file.field("throttleGuard"));
    if (section == null) {
      return new RestartSettings(
          absent.enforcement(),
          absent.namespaces(),
          absent.withoutRuntime(),
          guard,
          workloads,
          throttle,
          readiness);
    }
    RestartSettings read =
        new RestartSettings(
            enforcement(section.field("mode"), absent.enforcement()),
            namespaces(section.field("namespaces")),
            removal(section.field("withoutRuntime")),
            guard,
            workloads,
            throttle,
            readiness);
    section.rejectUnknown(Set.of());
    return read;
  }

  private static Enforcement enforcement(Field field, Enforcement absent) {
    String word = field.text();
    if (word == null) {
      return absent;
    }
    return Enforcement.of(word)
        .orElseGet(() -> {
          field.unsupported(Enforcement.words());
          return absent;
        });
  }

  private static Map<String, Enforcement> namespaces(Field field) {
    Map<String, Enforcement> namespaces = new HashMap<>();
    Fields named = field.object();
    if (named != null) {
      for (String name : named.names()) {
        namespaces.put(name, enforcement(named.field(name), Enforcement.ENFORCE));
      }
    }
    return namespaces;
  }

  private static Removal removal(Field field) {
    return switch (field.text("evict")) {
      case "evict" -> Removal.EVICT;
      case "delete" -> Removal.DELETE;
      default -> {
        field.unsupported(List.of("evict", "delete"));
        yield Removal.EVICT;
      }
    };
  }

  private static GuardSettings guard(Field field) {
    GuardSettings absent = GuardSettings.DEFAULT;
    Fields guard = field.object();
    if (guard == null) {
      return absent;
    }
    GuardSettings read =
        new GuardSettings(
            guard.field("enabled").bool(absent.enabled()),
            between(guard.field("percent"), absent.percent(), MAX_PERCENT),
            between(guard.field("least"), absent.least(), Integer.MAX_VALUE),
            positive(guard.field("window"), absent.window()),
            positive(guard.field("hold"), absent.hold()),
            conditions(guard.field("holdOnConditions")));
    guard.rejectUnknown(Set.of());
    return read;
  }

  private static Set<String> conditions(Field field) {
    List<Field> items = field.items();
    if (items.size() > GuardSettings.MAX_CONDITIONS) {
      field.error(
          "must not name more than %d conditions, but names %d"
              .formatted(GuardSettings.MAX_CONDITIONS, items.size()));
      return Set.of();
    }
    Set<String> types = new HashSet<>();
    for (Field item : items) {
      String type =
          FieldRules.requiredText(item, "a condition of the node, such as DiskUnresponsive");
      if (type != null && !QualifiedName.isValid(type)) {
        item.invalid(QualifiedName.RULE);
      } else if (type != null) {
        types.add(type);
      }
    }
    return types;
  }

  private static WorkloadGuardSettings workloads(Field field, WorkloadGuardSettings absent) {
    Fields guard = field.object();
    if (guard == null) {
      return absent;
    }
    WorkloadGuardSettings read =
        new WorkloadGuardSettings(
            guard.field("enabled").bool(absent.enabled()),
            between(guard.field("percent"), absent.percent(), MAX_PERCENT),
            upTo(guard.field("maxHold"), absent.maxHold(), WorkloadGuardSettings.MAX_HOLD),
            upTo(guard.field("window"), absent.window(), WorkloadGuardSettings.MAX_WINDOW));
    guard.rejectUnknown(Set.of());
    return read;
  }

  private static ThrottleSettings throttle(Field field) {
    ThrottleSettings absent = ThrottleSettings.DEFAULT;
    Fields guard = field.object();
    if (guard == null) {
      return absent;
    }
    boolean enabled = guard.field("enabled").bool(absent.enabled());
    Duration most = upTo(guard.field("maxHold"), absent.maxHold(), ProbeSpec.LONGEST_THROTTLE_HOLD);
    Field named = guard.field("hold");
    Duration hold = named.duration();
    if (hold == null) {
      hold = absent.hold().compareTo(most) < 0 ? absent.hold() : most;
    } else if (hold.isNegative() || hold.compareTo(most) > 0) {
      named.invalid("must be from 0s to maxHold, " + GoDuration.format(most));
      hold = Duration.ZERO;
    }
    guard.rejectUnknown(Set.of());
    return new ThrottleSettings(enabled, hold, most);
  }

  /** Reads a duration above zero. */
  static Duration upTo(Field field, Duration absent, Duration most) {
    Duration value = positive(field, absent);
    if (value.compareTo(most) > 0) {
      field.invalid("must be at most " + most.toMinutes() + "m");
      return absent;
    }
    return value;
  }

  private static int between(Field field, int absent, int most) {
    int value = field.int32(absent);
    if (value < 1 || value > most) {
      field.invalid(most == Integer.MAX_VALUE ? "must be at least 1" : "must be from 1 to " + most);
      return absent;
    }
    return value;
  }

  private static Duration positive(Field field, Duration absent) {
    Duration value = field.duration();
    if (value == null) {
      return absent;
    }
    if (!value.isPositive()) {
      field.invalid("must be above zero");
      return absent;
    }
    return value;
  }
}
