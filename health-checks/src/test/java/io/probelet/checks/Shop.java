package io.probelet.checks;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The custom resource of some author, whose controller uses the library. */
@Group("shop.example")
@Version("v1")
public class Shop extends CustomResource<Shop.Spec, Shop.Status> implements Namespaced {

  /** What the user wishes. */
  public static class Spec {
    public @Nullable String type;
    public @Nullable Boolean asleep;
  }

  /** How it is. */
  public static class Status {
    public @Nullable List<Map<String, Object>> conditions;
    public @Nullable String phase;
  }
}
