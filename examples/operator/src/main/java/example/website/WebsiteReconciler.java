package example.website;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.probelet.checks.HealthCheckController;
import java.util.concurrent.CountDownLatch;

/** The same operator with java-operator-sdk: the health check runs next to its reconciler. */
@ControllerConfiguration
public class WebsiteReconciler implements Reconciler<Website> {
  public static void main(String[] args) throws InterruptedException {
    start(new KubernetesClientBuilder().build());
    new CountDownLatch(1).await();
  }

  static HealthCheckController<Website> start(KubernetesClient client) {
    Operator operator = new Operator(settings -> settings.withKubernetesClient(client));
    operator.register(new WebsiteReconciler());
    operator.start();
    return WebsiteOperator.health().start(client);
  }

  @Override
  public UpdateControl<Website> reconcile(Website website, Context<Website> context) {
    new WebsiteOperator(context.getClient()).onAdd(website);
    return UpdateControl.noUpdate(); // the health check writes the status
  }
}
