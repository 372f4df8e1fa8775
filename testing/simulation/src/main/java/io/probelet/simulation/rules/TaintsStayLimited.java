package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.WorldEvent.Restored;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** A mistake of monitors must not take the pods of all nodes. */
final class TaintsStayLimited implements Rule {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String WANTED = "probelet.io/node-taints";
  private static final int PERCENT = 100;

  /** The nodes are counted this long before at most. */
  private static final long COUNTED = Duration.ofSeconds(60).toNanos();

  private final Facts facts;
  private long fewer = -COUNTED;

  TaintsStayLimited(Facts facts) {
    this.facts = facts;
  }

  @Override
  public String name() {
    return "taints-stay-limited";
  }

  @Override
  public String reason() {
    return "No more nodes than a monitor allows get its taint (B-11).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof Restored) {
      fewer = event.at();
    } else if (event instanceof Written write
        && write.before() != null
        && ObjectFields.kind(write.before()).equals("Node")) {
      if (write.after() == null) {
        fewer = write.at();
      } else if (write.process().startsWith("controller") && write.at() - fewer > COUNTED) {
        Set<String> added = keys(write.after());
        added.removeAll(keys(write.before()));
        added.forEach(key -> added(write, write.after(), key, findings));
      }
    }
  }

  private void added(Written write, JsonNode node, String key, Findings findings) {
    Optional<Integer> percent = percent(node, key);
    if (percent.isPresent()) {
      long total = facts.all("Node").count();
      long tainted = facts.all("Node").filter(each -> keys(each).contains(key)).count();
      findings.check(
          this,
          write.at(),
          tainted * PERCENT <= percent.get() * total,
          () ->
              "%s tainted %s with %s, which %d of %d nodes have now; the limit is %d%%"
                  .formatted(
                      write.process(),
                      ObjectFields.name(node),
                      key,
                      tainted,
                      total,
                      percent.get()));
    }
  }

  private static Set<String> keys(JsonNode node) {
    Set<String> keys = new HashSet<>();
    for (JsonNode taint : node.at("/spec/taints")) {
      if (taint.path("key").asText().startsWith("probelet.io/")) {
        keys.add(taint.path("key").asText());
      }
    }
    return keys;
  }

  /** The share of nodes that may have a taint, as the node's agent has written. */
  private static Optional<Integer> percent(JsonNode node, String key) {
    try {
      for (JsonNode each : JSON.readTree(ObjectFields.annotation(node, WANTED).orElse("[]"))) {
        if (each.path("taint").asText().startsWith(key + ":")) {
          return Optional.of(each.path("maxNodesPercent").asInt());
        }
      }
      return Optional.empty();
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }
}
