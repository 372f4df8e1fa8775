package io.probelet.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** The remediations of a node that someone's finalizer holds, and that a user may delete. */
final class HeldRemediations {
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** Of a controller that never comes. */
  private static final String FINALIZER = "example.com/hold";

  private final World world;
  private final String node;
  private final RandomGenerator random;
  private final Set<String> held = new TreeSet<>();
  private boolean over;

  HeldRemediations(World world, String node, RandomGenerator random) {
    this.world = world;
    this.node = node;
    this.random = random;
  }

  /** {@return lets all of them go} */
  Runnable begin() {
    look();
    return () -> {
      over = true;
      held.forEach(path -> finalizers(path, false));
    };
  }

  private void look() {
    if (over) {
      return;
    }
    for (String path : world.remediationsOf(node)) {
      if (held.add(path) && random.nextInt(4) > 0) {
        finalizers(path, true);
        if (random.nextBoolean()) {
          long after = random.nextLong(60_000);
          world.simulation().after(Duration.ofMillis(after), () -> delete(path));
        }
      }
    }
    world.simulation().after(LOOK, this::look);
  }

  private void delete(String path) {
    if (!over && world.server().get(path) instanceof ObjectNode) {
      world.server().delete(path);
    }
  }

  private void finalizers(String path, boolean hold) {
    if (!(world.server().get(path) instanceof ObjectNode now)) {
      return;
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ArrayNode kept = patch.putObject("metadata").putArray("finalizers");
    for (JsonNode each : now.at("/metadata/finalizers")) {
      if (!each.asText().equals(FINALIZER)) {
        kept.add(each);
      }
    }
    if (hold) {
      kept.add(FINALIZER);
    }
    world.server().patch(path, patch.toString());
  }
}
