package io.probelet.agent.diagnose;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.probelet.monitor.evidence.EvidenceBundle;
import io.probelet.monitor.evidence.EvidenceStore;
import io.probelet.monitor.evidence.NodeEvidence;
import io.probelet.web.http.PostResource;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Collects a bundle at each request, a form with {@code reason}, {@code hostRoot} and {@code keep}.
 * The answer is lines of text, see {@link #head}, and after an empty line the archive, unless it is
 * kept on the node.
 */
public final class EvidenceRoute implements PostResource {
  /** The Unix socket in an agent's state folder. */
  public static final String SOCKET = "diagnose.sock";

  /** The path of the requests. */
  public static final String PATH = "/v1/evidence";

  /** The path that tells whether an agent responds. */
  public static final String ALIVE = "/livez";

  /** Another collection is running (ACT-103). */
  public static final int BUSY = 409;

  /** The client wants evidence by another root directory than the agent's. */
  private static final int ANOTHER_ROOT = 412;

  private static final String CONTENT = "application/octet-stream";

  private final Path hostRoot;
  private final NodeEvidence evidence;

  EvidenceRoute(Path hostRoot, NodeEvidence evidence) {
    this.hostRoot = hostRoot;
    this.evidence = evidence;
  }

  @Override
  public Answer post(byte[] body) throws InterruptedException {
    QueryStringDecoder form =
        new QueryStringDecoder(new String(body, StandardCharsets.UTF_8), false);
    String root = value(form, "hostRoot");
    if (!root.isEmpty() && !Path.of(root).normalize().equals(hostRoot.normalize())) {
      return refused(ANOTHER_ROOT, "the agent sees the node's root directory at " + hostRoot);
    }
    AtomicReference<byte @Nullable []> archive = new AtomicReference<>();
    EvidenceStore sent =
        (name, bytes) -> {
          archive.set(bytes);
          return Path.of(name);
        };
    EvidenceBundle bundle;
    try {
      String reason = value(form, "reason");
      bundle =
          value(form, "keep").isEmpty() ? evidence.collect(reason, sent) : evidence.collect(reason);
    } catch (IOException busy) {
      return refused(BUSY, String.valueOf(busy.getMessage()));
    }
    byte[] head = head(bundle).getBytes(StandardCharsets.UTF_8);
    byte[] rest = archive.get();
    return new Answer(
        200,
        CONTENT,
        out -> {
          out.write(head);
          if (rest != null) {
            out.write(rest);
          }
        });
  }

  /** Name, SHA-256, bytes, path or {@code -}, the digest, and an empty line. */
  private static String head(EvidenceBundle bundle) {
    return "%s\n%s\n%d\n%s\n%s\n\n"
        .formatted(
            bundle.name(),
            bundle.sha256(),
            bundle.bytes(),
            bundle.path() == null ? "-" : bundle.path(),
            String.join("\n", bundle.digest()));
  }

  private static Answer refused(int status, String why) {
    return Answer.of(status, Resource.TEXT, why + "\n");
  }

  private static String value(QueryStringDecoder form, String name) {
    return form.parameters().getOrDefault(name, List.of("")).getFirst();
  }
}
