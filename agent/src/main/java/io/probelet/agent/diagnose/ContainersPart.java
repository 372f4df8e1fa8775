package io.probelet.agent.diagnose;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.health.SystemClock;
import io.probelet.monitor.evidence.EvidenceCollector;
import io.probelet.monitor.evidence.EvidenceOutput;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.cri.CriListing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** What the container runtime lists: sandboxes and containers with their states. */
record ContainersPart(Supplier<Optional<Path>> runtime) implements EvidenceCollector {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of each question. */
  private static final Duration TIMEOUT = Duration.ofSeconds(4);

  @Override
  public void collect(EvidenceOutput out) throws IOException, InterruptedException {
    Path socket =
        runtime
            .get()
            .orElseThrow(() ->
                new IOException(
                    "no container runtime is configured or found at the default sockets"));
    try (ProbeLoops loops = ProbeLoops.start(1, "evidence-runtime-", SystemClock.INSTANCE)) {
      CriListing listing = new CriListing(socket, loops.all().getFirst().eventLoop());
      write(listing.ask(TIMEOUT), out);
    } catch (ContainerRuntimeException silent) {
      out.highlight("the container runtime does not respond: " + silent.getMessage());
      throw new IOException(silent.getMessage(), silent);
    }
  }

  private static void write(CriListing.Answer answer, EvidenceOutput out) {
    out.json(JSON.createObjectNode().put("kind", "runtime").put("version", answer.runtime()));
    answer
        .sandboxes()
        .forEach(each ->
            out.json(
                JSON.createObjectNode()
                    .put("kind", "sandbox")
                    .put("pod", each.pod())
                    .put("state", each.state())
                    .put("created", each.created().toString())
                    .put("id", each.id())));
    answer
        .instances()
        .forEach(each ->
            out.json(
                JSON.createObjectNode()
                    .put("kind", "container")
                    .put("pod", each.pod())
                    .put("container", each.name())
                    .put("attempt", each.attempt())
                    .put("state", each.state())
                    .put("ended", each.ended())
                    .put("created", each.created().toString())
                    .put("id", each.id())));
  }
}
