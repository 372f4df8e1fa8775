package example.website;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;

/** The operator's own kind: crd.yaml defines it, website.yaml is an example. */
@Group("websites.example")
@Version("v1")
public class Website extends CustomResource<Website.Spec, Website.Status> implements Namespaced {
  /** The name of the Website and of its Deployment. */
  String name() {
    return getMetadata().getName();
  }

  /** What is wanted. */
  public static class Spec {
    public String image = "";
    public int replicas = 1;
  }

  /** How it is: written by the health check. */
  public static class Status {
    public List<Map<String, Object>> conditions = List.of();
  }
}
