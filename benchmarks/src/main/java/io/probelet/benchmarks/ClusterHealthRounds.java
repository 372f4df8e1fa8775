package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The cost of a round over an unchanged cluster, with and without permission to watch its objects.
 * Objects have realistic sizes: 18 MB for 5,000.
 */
final class ClusterHealthRounds {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> KINDS = List.of("Deployment", "DaemonSet", "StatefulSet");
  private static final List<String> COLLECTIONS =
      List.of("deployments", "daemonsets", "statefulsets");
  private static final int ENVIRONMENT = 30;

  private final Path jvmOptions;
  private final PrintStream out;

  ClusterHealthRounds(Path jvmOptions, PrintStream out) {
    this.jvmOptions = jvmOptions;
    this.out = out;
  }

  void run(int objects, int warmUp, int seconds, boolean watched) throws IOException {
    try (PretendedApi api = new PretendedApi((_, _, _) -> {})) {
      if (!watched) {
        api.refuseWatches(COLLECTIONS);
      }
      long bytes = fill(api, objects);
      try (Daemon leader =
          Daemon.start(
              TemporaryFolder.create(),
              "cluster-health",
              ProbeletContender.command(
                  jvmOptions, ClusterHealthProcess.class, List.of(api.url())))) {
        rounds(leader, warmUp);
        long requests = api.requests();
        long cpu = leader.cpuMicros();
        int rounds = rounds(leader, seconds);
        out.printf(
            "%5d objects of %.1f MB, %s: %.1f CPU-ms and %.1f requests a round (mean of %d);"
                + " %s; %s%n",
            objects,
            bytes / 1e6,
            watched ? "watched" : "listed, without the right to watch",
            (leader.cpuMicros() - cpu) / 1e3 / rounds,
            (api.requests() - requests) / (double) rounds,
            rounds,
            leader.memory(),
            leader.nextLine());
      }
    }
  }

  /** Waits for this time, and then for the end of a round. */
  private static int rounds(Daemon leader, int seconds) {
    long start = SystemClock.INSTANCE.nanoTime();
    int rounds = 0;
    do {
      leader.nextLine();
      rounds++;
    } while (SystemClock.INSTANCE.nanoTime() - start < TimeUnit.SECONDS.toNanos(seconds));
    return rounds;
  }

  private static long fill(PretendedApi api, int objects) throws IOException {
    ObjectNode wanted = JSON.createObjectNode();
    wanted.put("apiVersion", "probelet.io/v1alpha1").put("kind", "ClusterHealth");
    wanted.putObject("spec").put("syncPeriod", "1s");
    api.put("clusterhealths", "cluster", wanted);
    long bytes = 0;
    for (int i = 0; i < objects; i++) {
      int kind = i % KINDS.size();
      ObjectNode object = object(KINDS.get(kind), i);
      bytes += object.toString().length();
      api.put(COLLECTIONS.get(kind), "object-" + i, object);
    }
    return bytes;
  }

  private static ObjectNode object(String kind, int number) {
    ObjectNode object = JSON.createObjectNode().put("apiVersion", "apps/v1").put("kind", kind);
    object
        .withObject("/metadata")
        .put("namespace", "kube-system")
        .put("generation", 3)
        .putObject("labels")
        .put("app", "object-" + number);
    ObjectNode spec = object.putObject("spec").put("replicas", 3);
    ArrayNode environment =
        spec.withObject("/template/spec").putArray("containers").addObject().putArray("env");
    for (int i = 0; i < ENVIRONMENT; i++) {
      environment
          .addObject()
          .put("name", "VARIABLE_NUMBER_" + i)
          .put("value", "something that a container is to know, at some length, as they do");
    }
    ObjectNode status =
        object
            .putObject("status")
            .put("observedGeneration", 3)
            .put("replicas", 3)
            .put("readyReplicas", 3)
            .put("currentNumberScheduled", 3)
            .put("desiredNumberScheduled", 3)
            .put("updatedNumberScheduled", 3);
    ArrayNode conditions = status.putArray("conditions");
    for (String type : List.of("Available", "Progressing")) {
      conditions.addObject().put("type", type).put("status", "True").put("reason", "ItIsSo");
    }
    return object;
  }
}
