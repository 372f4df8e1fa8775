package io.probelet.kube.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads a collection in its own process, once or by a watch, and prints the result. */
final class ListsProcess {
  private ListsProcess() {}

  private static ApiServer api(KubernetesClient client) {
    return ApiServer.of(client, Duration.ofMinutes(1));
  }

  public static void main(String[] arguments) throws InterruptedException {
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(arguments[0]).build();
    AtomicInteger read = new AtomicInteger();
    AtomicInteger large = new AtomicInteger();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      Selection all = Selection.all("Thing", "/things");
      if (arguments[1].equals("list")) {
        String said =
            ObjectList.read(
                    api(client),
                    all,
                    KeptFields.ALL,
                    ObjectLimits.USUAL,
                    new ObjectList.Taker() {
                      @Override
                      public void take(ObjectNode object) {
                        read.incrementAndGet();
                      }

                      @Override
                      public void tooLarge(TooLarge object) {
                        large.incrementAndGet();
                      }
                    })
                .summary();
        System.out.println(said);
      } else {
        watch(api(client), all, read, large);
      }
    }
    System.out.println("read=" + read + " large=" + large);
  }

  private static void watch(ApiServer api, Selection all, AtomicInteger read, AtomicInteger large)
      throws InterruptedException {
    CountDownLatch listed = new CountDownLatch(1);
    Observer<String> observer =
        new Observer<>() {
          @Override
          public void changed(Item<String> item) {
            read.incrementAndGet();
          }

          @Override
          public void gone(Item<String> item) {}

          @Override
          public void tooLarge(TooLarge object) {
            large.incrementAndGet();
          }

          @Override
          public void listed() {
            listed.countDown();
          }
        };
    try (ResourceWatch<String> _ =
        ResourceWatch.start(
            api,
            all,
            new ObjectFormat<>("v1", "Thing", object -> object.path("v").asText()),
            observer,
            SystemClock.INSTANCE,
            new Random(1))) {
      listed.await();
    }
  }
}
