package io.probelet.simulation.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.ApiWrite;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;

/**
 * The Job controller of kube-controller-manager, with the nodes that run the pods: each pod of a
 * Job ends after a scripted time, and a Job fails once too many of its pods have failed.
 */
public final class JobController {
  private static final Duration REACTION = Duration.ofMillis(300);
  private static final Duration RETRY = Duration.ofSeconds(10);
  private static final int DEFAULT_BACKOFF_LIMIT = 6;

  private final Simulation world;
  private final SimulatedApiServer server;
  private final Script script;
  private final Requests requests;

  /** How pods of Jobs end. */
  @FunctionalInterface
  public interface Script {
    /**
     * {@return how a pod ends}
     *
     * @param job its Job
     * @param attempt how many pods of the Job have failed before
     */
    PodEnd end(JsonNode job, int attempt);
  }

  /**
   * How a pod ends.
   *
   * @param after its start
   * @param success whether its containers exit with 0
   */
  public record PodEnd(Duration after, boolean success) {}

  /** Starts it. */
  public JobController(Simulation world, SimulatedApiServer server, Script script) {
    this.world = world;
    this.server = server;
    this.script = script;
    this.requests = new Requests(server, "job-controller");
    server.onWrite(this::written);
  }

  private void written(ApiWrite write) {
    ObjectNode job = write.after();
    if (write.before() == null && job != null && job.path("kind").asText().equals("Job")) {
      String path =
          "/apis/batch/v1/namespaces/%s/jobs/%s"
              .formatted(job.at("/metadata/namespace").asText(), Requests.name(job));
      String uid = Requests.uid(job);
      world.after(REACTION, () -> startPod(path, uid, 0));
    }
  }

  /** {@return the Job, if it is still the same and is to go on; missing otherwise} */
  private JsonNode job(String path, String uid) {
    JsonNode job = server.get(path);
    return Requests.uid(job).equals(uid) && !Requests.isDeleting(job) ? job : job.path("none");
  }

  private void startPod(String path, String uid, int attempt) {
    JsonNode job = job(path, uid);
    if (job.isMissingNode()) {
      return;
    }
    String namespace = job.at("/metadata/namespace").asText();
    String name = Requests.name(job) + "-" + attempt;
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.putObject("metadata").put("name", name).put("namespace", namespace);
    metadata.putObject("labels").put("batch.kubernetes.io/job-name", Requests.name(job));
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "batch/v1")
        .put("kind", "Job")
        .put("name", Requests.name(job))
        .put("uid", uid)
        .put("controller", true)
        .put("blockOwnerDeletion", true);
    pod.set("spec", job.at("/spec/template/spec").deepCopy());
    String pods = "/api/v1/namespaces/" + namespace + "/pods";
    if (requests.create(pods, pod)) {
      phase(pods + "/" + name, "Running");
    }
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.putObject("status").put("active", 1).put("startTime", requests.now());
    requests.patch(path + "/status", status);
    PodEnd end = script.end(job, attempt);
    world.after(end.after(), () -> endPod(path, uid, pods + "/" + name, attempt, end.success()));
  }

  private void endPod(String path, String uid, String pod, int attempt, boolean success) {
    phase(pod, success ? "Succeeded" : "Failed");
    JsonNode job = job(path, uid);
    if (job.isMissingNode()) {
      return;
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode status = patch.putObject("status").put("active", 0).put("failed", attempt);
    int limit = job.at("/spec/backoffLimit").asInt(DEFAULT_BACKOFF_LIMIT);
    if (success) {
      status.put("succeeded", 1).put("completionTime", requests.now());
      status.set("conditions", ended("Complete", "CompletionsReached", "Reached expected number"));
    } else {
      status.put("failed", attempt + 1);
      if (attempt >= limit) {
        status.set(
            "conditions",
            ended("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit"));
      } else {
        Duration pause = RETRY.multipliedBy(1L << Math.min(attempt, 5));
        world.after(pause, () -> startPod(path, uid, attempt + 1));
      }
    }
    requests.patch(path + "/status", patch);
    if (status.has("conditions")) {
      expire(path, uid, job.at("/spec/ttlSecondsAfterFinished"));
    }
  }

  private ArrayNode ended(String type, String reason, String message) {
    return requests.with(JsonNodeFactory.instance.arrayNode(), type, "True", reason, message);
  }

  private void expire(String path, String uid, JsonNode ttl) {
    if (ttl.isNumber()) {
      world.after(
          Duration.ofSeconds(ttl.asInt()),
          () -> {
            if (!job(path, uid).isMissingNode()) {
              requests.delete(path);
            }
          });
    }
  }

  private void phase(String pod, String phase) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("status").put("phase", phase);
    requests.patch(pod + "/status", patch);
  }
}
