package io.probelet.agent.diagnose;

import io.probelet.health.FailureReason;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.evidence.EvidenceCollector;
import io.probelet.monitor.evidence.EvidencePart;
import io.probelet.monitor.evidence.EvidencePart.Keep;
import io.probelet.monitor.evidence.EvidenceRing;
import io.probelet.monitor.evidence.EvidenceStore;
import io.probelet.monitor.evidence.NodeEvidence;
import io.probelet.monitor.evidence.NodeParts;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The parts of a node's evidence, and who is asked for them.
 *
 * @param kmsg the kernel's messages, {@code /dev/kmsg}
 * @param runtime where the container runtime listens; empty for none
 * @param containers what is probed, with so many past outcomes of each probe as are to be shown
 */
public record AgentParts(
    Machine machine,
    Path kmsg,
    Supplier<Optional<Path>> runtime,
    EvidenceQuery<NodeView> node,
    EvidenceQuery<List<ContainerView>> containers) {
  /** Past outcomes of each probe in a bundle. */
  public static final int HISTORY = 10;

  private static final String FOLDER = "evidence";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int ANSWER_SECONDS = 5;
  private static final int TABLE_BYTES = 512 << 10;

  /**
   * {@return the parts as an agent collects them itself}
   *
   * @param kmsg the kernel's messages, {@code /dev/kmsg}
   * @param runtime where the container runtime listens, asked each time; empty for none
   * @param engine asks for all that is probed, with so many past outcomes of each probe
   */
  public static AgentParts ofAgent(
      Machine machine,
      Path kmsg,
      Supplier<Optional<Path>> runtime,
      Supplier<CompletableFuture<NodeSnapshot>> node,
      IntFunction<CompletableFuture<List<ContainerSnapshot>>> engine) {
    return new AgentParts(
        machine,
        kmsg,
        runtime,
        () ->
            NodeView.of(
                answer("the node monitor", node.get()),
                NodeView.MAX_HISTORY,
                machine.time().wallTime()),
        () ->
            answer("the probe engine", engine.apply(HISTORY)).stream()
                .map(container -> ContainerView.of(container, HISTORY))
                .toList());
  }

  private static <T> T answer(String who, CompletableFuture<T> asked)
      throws IOException, InterruptedException {
    try {
      return asked.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException silent) {
      throw new IOException(who + " did not answer within " + ANSWER_SECONDS + " s", silent);
    } catch (ExecutionException failed) {
      throw new IOException(who + " failed: " + FailureReason.of(failed), failed);
    }
  }

  /** {@return where a machine keeps its bundles} */
  public static EvidenceRing ring(Machine machine) {
    return new EvidenceRing(machine.stateFolder().resolve(FOLDER));
  }

  /**
   * {@return what collects these parts}
   *
   * @param store keeps the bundles, such as {@link #ring} or an {@link EvidenceUpload} of it
   */
  public NodeEvidence keptBy(String name, EvidenceStore store) {
    return new NodeEvidence(name, all(), store, machine.time());
  }

  /** {@return all, in the order in which they matter} */
  List<EvidencePart> all() {
    List<EvidencePart> parts = new ArrayList<>();
    parts.add(json("conditions", new ConditionsPart(node)));
    parts.addAll(NodeParts.of(machine, kmsg, JournalAccess.USUAL));
    parts.add(json("containers", new ContainersPart(runtime)));
    parts.add(json("probes", new ProbesPart(containers)));
    return parts;
  }

  private static EvidencePart json(String name, EvidenceCollector collector) {
    return new EvidencePart(name, name + ".jsonl", Keep.FIRST, TABLE_BYTES, TIMEOUT, collector);
  }
}
