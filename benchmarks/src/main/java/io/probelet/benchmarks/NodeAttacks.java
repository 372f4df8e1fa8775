package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Attacks of a tenant on a node, besides annotations: pods as large and as many as the API server
 * stores, forged lines in the kernel log, and endless requests for {@code /livez}.
 */
final class NodeAttacks implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LARGE_PODS = 45;
  private static final int MANY_PODS = 1_500;
  private static final int RUNNING = 100;
  private static final int ARGUMENTS = 450_000;
  private static final int LARGE_CHARS = 1_400_000;
  private static final int ANNOTATION_CHARS = 31 * 1024;
  private static final int FLOOD = 160;

  /** The conditions that the forged lines imitate. */
  private static final Set<String> FORGED =
      Set.of(
          "ReadonlyFilesystem",
          "KernelDeadlock",
          "XfsShutdown",
          "CperHardwareErrorFatal",
          "FrequentUnregisterNetDevice");

  private final AgentProcess agent;
  private final SlowClients flood;
  private final ForgedLines lines;

  /**
   * Prepares.
   *
   * @param agent the attacked agent
   */
  NodeAttacks(Path directory, AgentProcess agent, String victim) throws IOException {
    this.agent = agent;
    flood = SlowClients.ofBodies(agent.port(), FLOOD);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path programs = Files.createDirectory(directory.resolve("programs"));
    lines = new ForgedLines(programs, victim);
  }

  /** Adds the largest and most pods that an API server stores to the node. */
  static void pods(PretendedApi api) throws IOException {
    String letters = "x".repeat(LARGE_CHARS);
    for (int i = 0; i < LARGE_PODS; i++) {
      ObjectNode pod =
          PretendedPod.of("tenant", "large-" + i, i % 2 == 0 ? Map.of("a", letters) : Map.of());
      if (i % 2 == 1) {
        ArrayNode arguments = ((ObjectNode) pod.at("/spec/containers/0")).putArray("args");
        for (int argument = 0; argument < ARGUMENTS; argument++) {
          arguments.add("x");
        }
      }
      api.put("pods", "large-" + i, phase(pod, "Pending"));
    }
    String annotation = "x".repeat(ANNOTATION_CHARS);
    for (int i = 0; i < MANY_PODS; i++) {
      ObjectNode pod = PretendedPod.of("tenant", "many-" + i, Map.of("a", annotation));
      api.put("pods", "many-" + i, i < RUNNING ? pod : phase(pod, "Failed"));
    }
  }

  private static ObjectNode phase(ObjectNode pod, String phase) {
    pod.putObject("status").put("phase", phase);
    return pod;
  }

  /** Continues the attacks for about a second. */
  void goOn() throws IOException {
    flood.drip();
    try {
      lines.write(); // the kernel writes 10 such lines in 5 s and drops the others
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** {@return the number of programs that made the kernel write a forged line} */
  int lines() {
    return lines.written();
  }

  /** Ends the attacks, and returns the conditions that became True because of forged lines. */
  Set<String> conditions() throws IOException {
    flood.close();
    Waiting.until("the agent answers", () -> agent.isOk("/livez"));
    Set<String> forged = new TreeSet<>();
    for (JsonNode condition : JSON.readTree(agent.answer("/api/v1/node")).path("conditions")) {
      String type = condition.path("type").asText();
      if (FORGED.contains(type) && condition.path("status").asText().equals("True")) {
        forged.add(type);
      }
    }
    return forged;
  }

  @Override
  public void close() {
    flood.close();
  }
}
