package io.probelet.web.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.probelet.health.Condition;
import io.probelet.monitor.node.NodeSnapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** {@code /conditions}: the node's conditions in node-problem-detector's words. */
final class ConditionsResource implements Resource {
  private static final int TIMEOUT_SECONDS = 5;

  private final Supplier<CompletableFuture<NodeSnapshot>> node;

  ConditionsResource(Supplier<CompletableFuture<NodeSnapshot>> node) {
    this.node = node;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (Condition condition : node.get().get(TIMEOUT_SECONDS, TimeUnit.SECONDS).conditions()) {
      all.addObject()
          .put("type", condition.type())
          .put("status", condition.status().toString())
          .put("transition", condition.lastTransitionTime().toString())
          .put("reason", condition.reason())
          .put("message", condition.message());
    }
    return Answer.of(200, JSON, all.toString());
  }
}
