package io.probelet.agent.manifest.care;

import io.probelet.agent.manifest.field.Field;
import io.probelet.agent.manifest.field.Fields;
import io.probelet.agent.manifest.field.LabelSelectorReader;
import java.time.Duration;
import java.util.List;
import java.util.Set;

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
    if (thresholds != null) {
      thresholds
          .names()
          .forEach(type -> atLeast(thresholds.keyed(type), Duration.ZERO, "must not be negative"));
    }
    for (Field item : spec.field("components").items()) {
      Fields components = item.object();
      if (components != null) {
        components(components);
      }
    }
    for (Field item : spec.field("contributions").items()) {
      Fields contribution = item.object();
      if (contribution != null) {
        contribution(contribution);
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
      gardener.field("namespaces").texts();
      gardener.rejectUnknown(Set.of());
    }
    spec.rejectUnknown(Set.of());
  }

  private static void components(Fields components) {
    required(components.field("conditionType"), "name one, for example SystemComponentsHealthy");
    components.field("kinds").items().forEach(kind -> oneOf(kind, COMPONENTS));
    components.field("namespaces").texts();
    LabelSelectorReader.read(components.field("labelSelector"));
    components.field("required").texts();
    atLeast(components.field("rolloutThreshold"), Duration.ZERO, "must not be negative");
    components.field("checks").texts();
    components.rejectUnknown(Set.of());
  }

  private static void contribution(Fields contribution) {
    required(contribution.field("apiVersion"), "for example example.org/v1");
    required(contribution.field("kind"), "the kind of the resources that report");
    contribution.field("namespaces").texts();
    Field types = contribution.field("conditionTypes");
    if (types.texts().isEmpty() && types.errors() == 0) {
      types.required("name the conditions to take over");
    }
    contribution.rejectUnknown(Set.of());
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
