package io.probelet.manifest.care;

import io.probelet.cluster.care.ManagedResourceRule;
import io.probelet.cluster.care.NamedChecks;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Suggestion;
import io.probelet.manifest.selector.LabelSelectorReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Reads a ClusterHealth and complains about what the care for a cluster could not do (CH-25). */
public final class ClusterHealthReader {
  /** The kind of the resource. */
  public static final String KIND = "ClusterHealth";

  private static final String API_VERSION = "probelet.io/v1alpha1";
  private static final String NAME = "cluster";
  private static final List<String> COMPONENTS = List.of("Deployment", "DaemonSet", "StatefulSet");
  private static final List<String> REMEDIATION = List.of("Disabled", "DryRun", "Enabled");
  private static final List<String> RULES = List.of("Shoot", "Seed", "Garden");

  private ClusterHealthReader() {}

  /**
   * Reads one resource; everything there is to say of it goes to its list of problems.
   *
   * @param resource the whole object
   */
  public static void read(Fields resource) {
    resource.field("kind");
    Field apiVersion = resource.field("apiVersion");
    if (!apiVersion.isPresent()) {
      apiVersion.required("must be " + API_VERSION);
    } else {
      oneOf(apiVersion, List.of(API_VERSION));
    }
    Fields metadata = resource.field("metadata").object();
    Field name = metadata == null ? resource.field("metadata") : metadata.field("name");
    if (!name.isPresent()) {
      name.required("must be " + NAME);
    } else if (metadata != null && name.isText() && !name.text("").equals(NAME)) {
      name.invalid("only the ClusterHealth named \"" + NAME + "\" is looked at");
    }
    Fields spec = resource.field("spec").object();
    if (spec != null) {
      spec(spec);
    }
    resource.rejectUnknown(Set.of("status"));
  }

  private static void spec(Fields spec) {
    atLeast(spec.field("syncPeriod"), Duration.ofSeconds(1), "must be 1s or more");
    Fields thresholds = spec.field("thresholds").object();
    Set<String> judged = new TreeSet<>(List.of("APIServerAvailable", "EveryNodeReady"));
    natural(spec.field("minimumNodes"));
    spec.field("absentConditions").texts();
    for (Field item : spec.field("components").items()) {
      Fields components = item.object();
      if (components != null) {
        components(components, judged);
      }
    }
    if (!spec.field("components").isPresent()) {
      judged.add("SystemComponentsHealthy");
    }
    for (Field item : spec.field("contributions").items()) {
      Fields contribution = item.object();
      if (contribution != null) {
        contribution(contribution, judged);
      }
    }
    oneOf(spec.field("webhookRemediation"), REMEDIATION);
    for (Field item : spec.field("caSecrets").items()) {
      Fields secrets = item.object();
      if (secrets != null) {
        secrets.field("namespaces").texts();
        LabelSelectorReader.read(secrets.field("labelSelector"));
        secrets.field("names").texts();
        secrets.rejectUnknown(Set.of());
      }
    }
    Fields gardener = spec.field("gardener").objectOrEmpty();
    if (gardener != null) {
      oneOf(gardener.field("rule"), RULES);
      if (spec.field("gardener").isPresent()) {
        judged.addAll(gardenerTypes(gardener.field("rule").text("Shoot")));
      }
      gardener.field("namespaces").texts();
      atLeast(gardener.field("progressingThreshold"), Duration.ZERO, "must not be negative");
      gardener.rejectUnknown(Set.of());
    }
    if (thresholds != null) {
      thresholds.names().forEach(type -> threshold(type, thresholds.keyed(type), judged));
    }
    spec.rejectUnknown(Set.of());
  }

  /** Of a type that nobody judges it would have no effect, as when it is misspelt. */
  private static void threshold(String type, Field threshold, Set<String> judged) {
    atLeast(threshold, Duration.ZERO, "must not be negative");
    if (!judged.contains(type)) {
      threshold.error(
          "no condition of this type is judged; "
              + Suggestion.of(type, judged)
                  .map(meant -> "did you mean \"" + meant + "\"?")
                  .orElse("those there are: " + String.join(", ", judged)));
    }
  }

  private static List<String> gardenerTypes(String rule) {
    return Arrays.stream(ManagedResourceRule.values())
        .filter(known -> known.name().equalsIgnoreCase(rule))
        .flatMap(known -> known.conditionTypes().stream())
        .toList();
  }

  private static void components(Fields components, Set<String> judged) {
    Field conditionType = components.field("conditionType");
    required(conditionType, "name one, for example SystemComponentsHealthy");
    if (conditionType.isText()) {
      judged.add(conditionType.text(""));
    }
    components.field("kinds").items().forEach(kind -> oneOf(kind, COMPONENTS));
    components.field("namespaces").texts();
    LabelSelectorReader.read(components.field("labelSelector"));
    components.field("required").texts();
    natural(components.field("minimum"));
    atLeast(components.field("rolloutThreshold"), Duration.ZERO, "must not be negative");
    components.field("checks").items().forEach(check -> oneOf(check, NamedChecks.DEFAULTS.names()));
    components.rejectUnknown(Set.of());
  }

  private static void contribution(Fields contribution, Set<String> judged) {
    required(contribution.field("apiVersion"), "for example example.org/v1");
    required(contribution.field("kind"), "the kind of the resources that report");
    contribution.field("namespaces").texts();
    Field types = contribution.field("conditionTypes");
    judged.addAll(types.texts());
    if (types.texts().isEmpty() && types.errors() == 0) {
      types.required("name the conditions to take over");
    }
    Fields heartbeat = contribution.field("heartbeat").object();
    if (heartbeat != null) {
      required(heartbeat.field("namespace"), "the namespace of a Lease");
      required(heartbeat.field("name"), "the name of a Lease");
      moreThanNothing(heartbeat.field("staleAfter"));
      heartbeat.rejectUnknown(Set.of());
    }
    contribution.rejectUnknown(Set.of());
  }

  private static void natural(Field number) {
    if (number.int32(0) < 0) {
      number.invalid("must be 0 or more");
    }
  }

  private static void moreThanNothing(Field field) {
    Duration duration = field.duration();
    if (duration != null && !duration.isPositive()) {
      field.invalid("must be more than 0");
    }
  }

  private static void required(Field field, String rule) {
    if (!field.isPresent() || (field.isText() && field.text("").isBlank())) {
      field.required(rule);
    } else {
      field.text();
    }
  }

  private static void oneOf(Field field, List<String> words) {
    String word = field.text();
    if (word != null && !words.contains(word)) {
      field.unsupported(words);
    }
  }

  private static void atLeast(Field field, Duration least, String rule) {
    Duration duration = field.duration();
    if (duration != null && duration.compareTo(least) < 0) {
      field.invalid(rule);
    }
  }
}
