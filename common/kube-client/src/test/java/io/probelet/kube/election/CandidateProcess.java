package io.probelet.kube.election;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.health.SerialLoop;
import io.probelet.health.SystemClock;
import io.probelet.health.Threads;
import io.probelet.kube.ApiServer;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/** A candidate in its own process, which writes as fast as it can while it leads. */
final class CandidateProcess implements AutoCloseable {
  private final Process process;

  private CandidateProcess(Process process) {
    this.process = process;
  }

  static CandidateProcess start(String url, String identity) throws IOException {
    return new CandidateProcess(
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CandidateProcess.class.getName(),
                url,
                identity)
            .inheritIO()
            .start());
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] args) throws InterruptedException {
    Config config =
        new ConfigBuilder(Config.empty()).withMasterUrl(args[0]).withTrustCerts(true).build();
    KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
    ApiServer api = ApiServer.of(client, LeaderElectionTest.TIMEOUT);
    LeaderElection _ =
        new LeaderElection(
            api,
            "default",
            "leader",
            args[1],
            LeaderElectionTest.QUICK,
            SystemClock.INSTANCE,
            new Random(),
            term -> Thread.ofVirtual().start(() -> write(api, args[1], term))::interrupt,
            SerialLoop.start(Threads.MACHINE, "candidate", 1, Throwable::printStackTrace));
    new CountDownLatch(1).await();
  }

  private static void write(ApiServer api, String identity, Leadership term) {
    for (int i = 0; term.isOn() && !Thread.currentThread().isInterrupted(); i++) {
      ObjectNode map = JsonNodeFactory.instance.objectNode();
      map.put("apiVersion", "v1").put("kind", "ConfigMap");
      map.putObject("metadata").put("name", identity).put("namespace", "default");
      map.putObject("data").put("count", Integer.toString(i));
      if (i == 0) {
        api.create("/api/v1/namespaces/default/configmaps", map);
      } else {
        api.replace("/api/v1/namespaces/default/configmaps/" + identity, map);
      }
    }
  }
}
