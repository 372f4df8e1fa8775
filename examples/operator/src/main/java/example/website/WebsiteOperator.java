package example.website;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.probelet.checks.HealthCheckController;
import io.probelet.checks.HealthChecks;
import io.probelet.checks.ObjectInCluster;
import java.util.concurrent.CountDownLatch;

/** Makes a Deployment of each Website, and has a condition in its status say how that is. */
public record WebsiteOperator(KubernetesClient client) implements ResourceEventHandler<Website> {
  private static final String WEB =
      """
      metadata: {name: %1$s}
      spec:
        replicas: %2$d
        selector: {matchLabels: {websites.example/name: %1$s}}
        template:
          metadata: {labels: {websites.example/name: %1$s}}
          spec: {containers: [{name: web, image: "%3$s"}]}
      """;

  public static void main(String[] args) throws InterruptedException {
    try (KubernetesClient client = new KubernetesClientBuilder().build();
        HealthCheckController<Website> health = start(client)) {
      new CountDownLatch(1).await();
    }
  }

  static HealthCheckController<Website> start(KubernetesClient client) {
    client.resources(Website.class).inAnyNamespace().inform(new WebsiteOperator(client));
    return health().start(client);
  }

  static HealthChecks<Website> health() {
    return HealthChecks.of(Website.class)
        .check("WebHealthy", ObjectInCluster.named(Deployment.class, website -> website.name()));
  }

  @Override
  public void onAdd(Website website) {
    String text =
        WEB.formatted(website.name(), website.getSpec().replicas, website.getSpec().image);
    Deployment web = Serialization.unmarshal(text, Deployment.class);
    web.getMetadata().setNamespace(website.getMetadata().getNamespace());
    web.addOwnerReference(website);
    client.resource(web).createOr(NonDeletingOperation::update);
  }

  @Override
  public void onUpdate(Website before, Website website) {
    onAdd(website);
  }

  @Override
  public void onDelete(Website website, boolean unknown) {} // the Deployment goes with its owner
}
