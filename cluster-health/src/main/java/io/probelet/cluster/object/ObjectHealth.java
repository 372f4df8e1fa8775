package io.probelet.cluster.object;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.probelet.cluster.check.CheckResult;
import java.util.HashMap;
import java.util.Map;

/** Finds the built-in check of section 3 that fits an object, typed or generic. */
public final class ObjectHealth {

  private static final Map<Class<?>, ObjectCheck<HasMetadata>> BY_TYPE = new HashMap<>();
  private static final Map<String, ObjectCheck<HasMetadata>> BY_KIND = new HashMap<>();

  static {
    register(Deployment.class, WorkloadHealth::check);
    register(DaemonSet.class, WorkloadHealth::check);
    register(StatefulSet.class, WorkloadHealth::check);
    register(ReplicaSet.class, WorkloadHealth::check);
    register(Job.class, WorkloadHealth::check);
    register(Pod.class, WorkloadHealth::check);
    register(Node.class, ClusterObjectHealth::check);
    register(APIService.class, ClusterObjectHealth::check);
    register(CustomResourceDefinition.class, ClusterObjectHealth::check);
    register(Service.class, ClusterObjectHealth::check);
    BY_KIND.put("resources.gardener.cloud/ManagedResource", AnyResource::managedResource);
  }

  private ObjectHealth() {}

  /**
   * Judges an object by the check for its kind.
   *
   * @param object a typed model, or a generic resource of any version of its kind
   * @return what is to be said of its health; an object of a kind without a check is healthy by
   *     being there
   */
  public static CheckResult check(HasMetadata object) {
    ObjectCheck<HasMetadata> check =
        object instanceof GenericKubernetesResource
            ? BY_KIND.get(group(object.getApiVersion()) + "/" + object.getKind())
            : BY_TYPE.get(object.getClass());
    return check == null ? CheckResult.healthy() : check.check(object);
  }

  private static <T extends HasMetadata> void register(Class<T> type, ObjectCheck<T> check) {
    BY_TYPE.put(type, object -> check.check(type.cast(object)));
    BY_KIND.put(
        HasMetadata.getGroup(type) + "/" + HasMetadata.getKind(type),
        generic -> check.check(AnyResource.as(type, generic)));
  }

  private static String group(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }
}
