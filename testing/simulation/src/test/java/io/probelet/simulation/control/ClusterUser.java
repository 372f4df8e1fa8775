package io.probelet.simulation.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.web.http.Resource.Body;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * An administrator who changes NodeHealthChecks, templates and policies while they are in use. The
 * API server asks the webhook of a running controller about a NodeHealthCheck, and allows the
 * change without an answer.
 */
final class ClusterUser {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CHECKS = "/apis/remediation.medik8s.io/v1alpha1/nodehealthchecks";
  private static final String POLICIES = "/apis/probelet.io/v1alpha1/remediationpolicies";
  private static final String WEBHOOK = "/validate-nodehealthcheck";

  private final Simulation world;
  private final SimulatedApiServer server;
  private final List<ControllerProcess> controllers;
  private final Requests requests;
  private final RandomGenerator random;

  /** The objects as they were applied first, by path. */
  private final SequencedMap<String, ObjectNode> applied = new TreeMap<>();

  /**
   * Creates a user who has changed nothing.
   *
   * @param controllers serve the webhook
   */
  ClusterUser(Simulation world, SimulatedApiServer server, List<ControllerProcess> controllers) {
    this.world = world;
    this.server = server;
    this.controllers = List.copyOf(controllers);
    this.requests = new Requests(server, "user");
    this.random = world.random("user");
    remember(CHECKS);
    remember(POLICIES);
    for (ObjectNode check : server.list(CHECKS)) {
      JsonNode spec = check.path("spec");
      remember(spec.path("remediationTemplate"));
      spec.path("escalatingRemediations")
          .forEach(step -> remember(step.path("remediationTemplate")));
    }
  }

  private void remember(String collection) {
    for (ObjectNode object : server.list(collection)) {
      applied.put(collection + "/" + Requests.name(object), object.deepCopy());
    }
  }

  private void remember(JsonNode template) {
    String path =
        "/apis/%s/namespaces/%s/%ss/%s"
            .formatted(
                template.path("apiVersion").asText(),
                template.path("namespace").asText(),
                template.path("kind").asText().toLowerCase(Locale.ROOT),
                template.path("name").asText());
    if (!template.isMissingNode() && server.get(path) instanceof ObjectNode object) {
      applied.put(path, object.deepCopy());
    }
  }

  /** Makes a change, and reverts it later. */
  void change() {
    List<String> paths = List.copyOf(applied.keySet());
    String path = paths.get(random.nextInt(paths.size()));
    ObjectNode original = Objects.requireNonNull(applied.get(path));
    if (path.startsWith(CHECKS)) {
      ObjectNode spec = original.path("spec").deepCopy();
      switch (random.nextInt(3)) {
        case 0 -> spec.put("minHealthy", random.nextInt(30, 80) + "%");
        case 1 -> spec.putArray("pauseRequests").add("maintenance");
        default -> spec.putObject("selector").putObject("matchLabels").put("group", "b");
      }
      replace(path, spec, false);
    } else if (path.startsWith(POLICIES)) {
      ObjectNode spec = original.path("spec").deepCopy();
      replace(path, spec.put("maxNodes", random.nextInt(0, 3)), false);
    } else {
      requests.delete(path);
    }
    world.after(Duration.ofSeconds(random.nextLong(5, 600)), () -> restore(path));
  }

  /** Reverts all changes. */
  void restore() {
    applied.keySet().forEach(this::restore);
  }

  private void restore(String path) {
    ObjectNode original = Objects.requireNonNull(applied.get(path));
    if (server.get(path).isMissingNode()) {
      ObjectNode again = original.deepCopy();
      again.withObject("/metadata").remove(List.of("uid", "resourceVersion", "creationTimestamp"));
      requests.create(path.substring(0, path.lastIndexOf('/')), again);
    } else {
      replace(path, original.path("spec"), true);
    }
  }

  /**
   * Replaces a spec, once admission allows it.
   *
   * @param repeats whether to try again after a denial
   */
  private void replace(String path, JsonNode spec, boolean repeats) {
    if (!(server.get(path) instanceof ObjectNode now) || now.path("spec").equals(spec)) {
      return;
    }
    ObjectNode wanted = now.deepCopy();
    wanted.set("spec", spec.deepCopy());
    List<ControllerProcess> serving =
        path.startsWith(CHECKS)
            ? controllers.stream().filter(ControllerProcess::isUp).toList()
            : List.of();
    if (serving.isEmpty()) {
      write(path, spec);
      return;
    }
    serving
        .get(random.nextInt(serving.size()))
        .post(
            WEBHOOK,
            review(now, wanted),
            answer -> {
              if (isAllowed(answer.body())) {
                world.after(Duration.ZERO, () -> write(path, spec));
              }
            });
    if (repeats) { // also if the process dies before it answers
      world.after(Duration.ofMinutes(1), () -> replace(path, spec, true));
    }
  }

  private void write(String path, JsonNode spec) {
    if (server.get(path) instanceof ObjectNode now) {
      ObjectNode wanted = now.deepCopy();
      wanted.set("spec", spec.deepCopy());
      wanted.remove("status");
      requests.replace(path, wanted);
    }
  }

  private static byte[] review(ObjectNode old, ObjectNode wanted) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    ObjectNode request = review.putObject("request").put("uid", "1").put("operation", "UPDATE");
    request.set("object", wanted);
    request.set("oldObject", old);
    return review.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isAllowed(Body body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      body.writeTo(out);
      return JSON.readTree(out.toByteArray()).at("/response/allowed").asBoolean();
    } catch (JsonProcessingException noReview) {
      throw new IllegalStateException(out.toString(StandardCharsets.UTF_8), noReview);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
