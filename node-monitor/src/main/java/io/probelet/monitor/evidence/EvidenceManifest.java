package io.probelet.monitor.evidence;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The table of contents of a bundle, with what is missing in each part and why (ACT-102). */
final class EvidenceManifest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int FORMAT = 1;

  private EvidenceManifest() {}

  static byte[] of(
      String name,
      String node,
      String reason,
      Instant began,
      Duration took,
      List<PartResult> results) {
    ObjectNode root =
        JSON.createObjectNode()
            .put("format", FORMAT)
            .put("name", name)
            .put("node", node)
            .put("reason", reason)
            .put("began", began.toString())
            .put("tookMillis", took.toMillis());
    ArrayNode parts = root.putArray("parts");
    for (PartResult result : results) {
      ObjectNode part =
          parts
              .addObject()
              .put("name", result.part().name())
              .put("file", result.part().file())
              .put("state", result.completeness().name().toLowerCase(Locale.ROOT))
              .put("bytes", result.content().length)
              .put("tookMillis", result.took().toMillis());
      if (!result.why().isEmpty()) {
        part.put("why", String.join("; ", result.why()));
      }
    }
    return (root.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
