package io.probelet.checks.object;

import static io.probelet.checks.object.ConditionExpectation.ifPresent;
import static io.probelet.checks.object.ConditionExpectation.required;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.probelet.checks.result.CheckResult;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the built-in check of section 3 that fits an object: by its group and kind, in whichever
 * version and as whichever class it was read.
 */
public final class ObjectHealth {

  private static final String EXTENSIONS = "extensions.gardener.cloud";
  private static final Map<String, ObjectCheck<HasMetadata>> BY_KIND = new HashMap<>();

  static {
    register(Deployment.class, WorkloadHealth::check);
    register(DaemonSet.class, WorkloadHealth::check);
    register(StatefulSet.class, WorkloadHealth::check);
    register(ReplicaSet.class, WorkloadHealth::check);
    register(ReplicationController.class, WorkloadHealth::check);
    register(Job.class, WorkloadHealth::check);
    register(Pod.class, WorkloadHealth::check);
    register(Node.class, ClusterObjectHealth::check);
    register(APIService.class, ClusterObjectHealth::check);
    register(CustomResourceDefinition.class, ClusterObjectHealth::check);
    register(Service.class, ClusterObjectHealth::check);
    BY_KIND.put("resources.gardener.cloud/ManagedResource", AnyResource::managedResource);
    BY_KIND.put(
        "autoscaling.k8s.io/VerticalPodAutoscaler",
        // not its generation: until there is a recommender nobody would observe it
        KindRule.of(KindRule.conditions(ifPresent("ConfigUnsupported", "False"))));
    BY_KIND.put(
        "cert.gardener.cloud/Certificate",
        KindRule.of(
            KindRule.conditions(ifPresent("Ready", "True")),
            KindRule.text("/status/state", "Ready", "certificate state")));
    BY_KIND.put(
        "cert.gardener.cloud/Issuer",
        KindRule.of(KindRule.text("/status/state", "Ready", "issuer state")));
    BY_KIND.put(
        "druid.gardener.cloud/Etcd",
        KindRule.of(
            KindRule.isTrue("/status/ready", "etcd is not ready yet"),
            KindRule.conditions(ifPresent("BackupReady", "True"))));
    KindRule monitoring =
        KindRule.of(
            KindRule.currentCondition("Available"),
            KindRule.enough("/status/availableReplicas", "available"));
    BY_KIND.put("monitoring.coreos.com/Prometheus", monitoring);
    BY_KIND.put("monitoring.coreos.com/Alertmanager", monitoring);
    BY_KIND.put(
        "machine.sapcloud.io/MachineDeployment",
        KindRule.of(
            KindRule.observed(),
            KindRule.conditions(
                required("Available", "True"),
                ifPresent("Progressing", "True"),
                ifPresent("ReplicaFailure", "False"),
                ifPresent("Frozen", "False"))));
  }

  private ObjectHealth() {}

  /**
   * Checks an object by the check for its kind; one of a kind without a check by its standard
   * conditions and phases, or by no more than its presence if its kind has no status. What its
   * owner takes out by annotation is not checked.
   *
   * @param object a typed model, or a generic resource, of any version of its kind
   * @return what is to be said of its health; not executed if its fields are not those of its kind
   */
  public static CheckResult check(HasMetadata object) {
    if (HealthCheckOptOut.holdsFor(object)) {
      return CheckResult.healthy(); // CH-42: its owner does not want it checked
    }
    ObjectCheck<HasMetadata> check = rule(object);
    try {
      return check == null ? withoutRule(object) : check.check(object);
    } catch (IllegalArgumentException unreadable) { // what no API server would have taken
      return CheckResult.notExecuted(
          "cannot be read as a " + object.getKind() + ": " + unreadable.getMessage());
    }
  }

  /**
   * {@return what the check of an object rests on, in words: the rule for its kind, the fields it
   * was checked by, its presence, or nothing (CH-41)}
   *
   * @param object as for {@link #check}
   */
  public static String basis(HasMetadata object) {
    if (HealthCheckOptOut.holdsFor(object)) {
      return "nothing: the object is excluded by an annotation";
    }
    if (rule(object) != null) {
      return "the rule for " + object.getKind();
    }
    return StatuslessKinds.has(group(object.getApiVersion()), object.getKind())
        ? "its existence: a " + object.getKind() + " has no status"
        : StandardConditions.basis(object);
  }

  private static CheckResult withoutRule(HasMetadata object) {
    return StatuslessKinds.has(group(object.getApiVersion()), object.getKind())
        ? CheckResult.healthy()
        : StandardConditions.check(object);
  }

  private static @Nullable ObjectCheck<HasMetadata> rule(HasMetadata object) {
    String group = group(object.getApiVersion());
    ObjectCheck<HasMetadata> check = BY_KIND.get(group + "/" + object.getKind());
    return check == null && group.equals(EXTENSIONS) ? ExtensionHealth::check : check;
  }

  private static <T extends HasMetadata> void register(Class<T> type, ObjectCheck<T> check) {
    BY_KIND.put(
        HasMetadata.getGroup(type) + "/" + HasMetadata.getKind(type),
        object -> check.check(AnyResource.as(type, object)));
  }

  private static String group(@Nullable String apiVersion) {
    if (apiVersion == null) {
      return "";
    }
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }
}
