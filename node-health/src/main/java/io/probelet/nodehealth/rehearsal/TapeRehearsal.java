package io.probelet.nodehealth.rehearsal;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Problem;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.maintenance.MaintenanceReader;
import io.probelet.nodehealth.rehearsal.TapeEvent.CheckIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.CheckIsGone;
import io.probelet.nodehealth.rehearsal.TapeEvent.MaintenanceIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.MaintenanceIsGone;
import io.probelet.nodehealth.rehearsal.TapeEvent.Moment;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeAgain;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeHelped;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeIsGone;
import io.probelet.nodehealth.rehearsal.TapeEvent.RemediationIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.RemediationIsGone;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckReader;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.tape.RecordedRemediation;
import io.probelet.nodehealth.tape.TapeException;
import io.probelet.nodehealth.tape.TapeLine;
import io.probelet.nodehealth.tape.TapeLine.CheckGone;
import io.probelet.nodehealth.tape.TapeLine.CheckSeen;
import io.probelet.nodehealth.tape.TapeLine.ConditionChange;
import io.probelet.nodehealth.tape.TapeLine.Cordon;
import io.probelet.nodehealth.tape.TapeLine.End;
import io.probelet.nodehealth.tape.TapeLine.Gap;
import io.probelet.nodehealth.tape.TapeLine.LabelChange;
import io.probelet.nodehealth.tape.TapeLine.MaintenanceGone;
import io.probelet.nodehealth.tape.TapeLine.MaintenanceSeen;
import io.probelet.nodehealth.tape.TapeLine.NodeGone;
import io.probelet.nodehealth.tape.TapeLine.NodeSeen;
import io.probelet.nodehealth.tape.TapeLine.RemediationGone;
import io.probelet.nodehealth.tape.TapeLine.RemediationSeen;
import io.probelet.nodehealth.tape.TapeReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Plays a tape once, for the NodeHealthChecks on it and for all candidates at the same time, each
 * on its own thread. The lines of one moment count as one change (TP-2).
 *
 * <p>Not thread-safe.
 */
public final class TapeRehearsal {
  /** Maximum number of remarks. */
  private static final int MAX_REMARKS = 20;

  /** Number of lines between two progress reports: some hundredths of a second. */
  private static final int PROGRESS_LINES = 1_000;

  private final TapeReader tape;
  private final Runnable progress;
  private final Instant start;
  private final Columns columns;
  private final ActiveRemediations atWork = new ActiveRemediations();
  private final HeldNodes nodes = new HeldNodes();
  private final Set<String> cordoned = new HashSet<>();
  private final NodeHealthCheckReader reader =
      NodeHealthCheckReader.ofExisting(TemplateKinds.UNKNOWN);
  private final Set<String> remarks = new LinkedHashSet<>();
  private final Set<String> adopted = new HashSet<>();
  private Duration unseen = Duration.ZERO;
  private Instant now;
  private int mostNodes;
  private boolean hasChecks;
  private boolean hasRemediations;

  private TapeRehearsal(TapeReader tape, Columns columns, Runnable progress) {
    this.tape = tape;
    this.progress = progress;
    this.start = tape.header().start();
    this.now = start;
    this.columns = columns;
  }

  /**
   * Plays a tape to its end.
   *
   * @param tape the tape, of which only the header has been read
   * @param candidates the NodeHealthChecks to try, besides those on the tape
   * @param heals assumed time from a remediation's creation until its node is healthy (TP-7)
   * @throws TapeException if the tape cannot be read
   * @throws InterruptedException if the caller is interrupted
   */
  public static Comparison play(TapeReader tape, List<Candidate> candidates, Duration heals)
      throws TapeException, InterruptedException {
    return play(tape, candidates, heals, () -> {});
  }

  /**
   * Plays a tape to its end, and reports progress.
   *
   * @param tape the tape, of which only the header has been read
   * @param candidates the NodeHealthChecks to try, besides those on the tape
   * @param heals assumed time from a remediation's creation until its node is healthy (TP-7)
   * @param progress called after some lines, on this thread
   * @throws TapeException if the tape cannot be read
   * @throws InterruptedException if the caller is interrupted
   */
  public static Comparison play(
      TapeReader tape, List<Candidate> candidates, Duration heals, Runnable progress)
      throws TapeException, InterruptedException {
    Instant start = tape.header().start();
    List<Column> all = new ArrayList<>();
    all.add(new Recorded(start));
    all.add(RehearsalRun.inForce(heals, start));
    candidates.forEach(candidate -> all.add(RehearsalRun.of(candidate, heals, start)));
    try (Columns columns = new Columns(all)) {
      return new TapeRehearsal(tape, columns, progress).play();
    }
  }

  private Comparison play() throws TapeException, InterruptedException {
    for (TapeLine line = tape.next(); line != null; line = tape.next()) {
      if (Thread.interrupted()) { // lines without events never wait
        throw new InterruptedException();
      }
      if (line.at().isAfter(now)) {
        now = line.at();
        columns.take(new Moment(now));
      }
      take(line);
      if (tape.lines() % PROGRESS_LINES == 0) {
        progress.run();
      }
    }
    Instant end = tape.last();
    List<RehearsalTotals> tallies = columns.finish(end);
    List<RehearsalTotals> shown = new ArrayList<>(tallies.subList(2, tallies.size()));
    if (hasChecks) {
      shown.addFirst(tallies.get(1));
    }
    if (hasRemediations) {
      shown.addFirst(tallies.get(0));
    }
    return new Comparison(
        tape.header(),
        end,
        tape.ended(),
        tape.lines(),
        mostNodes,
        unseen,
        shown,
        List.copyOf(remarks));
  }

  private void take(TapeLine line) throws TapeException, InterruptedException {
    switch (line) {
      case NodeSeen(_, NodeFacts node, boolean isCordoned) -> {
        cordon(node.name(), isCordoned);
        put(node);
      }
      case NodeGone(_, String node) -> {
        nodes.remove(node);
        cordoned.remove(node);
        columns.take(new NodeIsGone(node));
      }
      case ConditionChange change ->
          put(
              known(change.node())
                  .withCondition(
                      new NodeCondition(
                          change.type(), change.status(), change.since(), change.reason())));
      case LabelChange(_, String name, var set) -> {
        NodeFacts node = known(name);
        for (Map.Entry<String, Optional<String>> label : set.entrySet()) {
          node = node.withLabel(label.getKey(), label.getValue().orElse(null));
        }
        put(node);
      }
      case Cordon(_, String node, boolean isCordoned) -> cordon(node, isCordoned);
      case CheckSeen(_, String name, JsonNode object) -> check(name, object);
      case CheckGone(_, String name) -> {
        columns.take(new CheckIsGone(name));
        renew();
      }
      case MaintenanceSeen(_, _, JsonNode object) ->
          columns.take(new MaintenanceIs(MaintenanceReader.read(object)));
      case MaintenanceGone(_, String name) -> columns.take(new MaintenanceIsGone(name));
      case RemediationSeen(_, RecordedRemediation remediation) -> remediation(remediation);
      case RemediationGone(_, String uid) -> {
        adopted.remove(uid);
        atWork.remove(uid);
        columns.take(new RemediationIsGone(uid));
      }
      case Gap(Instant at, Instant from) -> unseen = unseen.plus(Duration.between(from, at));
      case End _ -> {}
    }
  }

  private NodeFacts known(String node) {
    return Objects.requireNonNull(nodes.get(node), node); // the reader has checked it
  }

  private void put(NodeFacts node) throws TapeException, InterruptedException {
    String excess = nodes.put(node);
    if (!excess.isEmpty()) {
      throw tape.wrong(excess);
    }
    mostNodes = Math.max(mostNodes, nodes.size());
    columns.take(new NodeIs(node, atWork.has(node.name()), cordoned.contains(node.name())));
  }

  /** Cordoning or uncordoning a node counts as help (TP-6). */
  private void cordon(String node, boolean isCordoned) throws InterruptedException {
    boolean changed = isCordoned ? cordoned.add(node) : cordoned.remove(node);
    if (changed) {
      columns.take(new NodeHelped(node));
    }
  }

  private void check(String name, JsonNode object) throws InterruptedException {
    hasChecks = true;
    NodeHealthCheckReader.Reading reading = reader.read(object);
    if (reading.spec().isEmpty()) {
      if (remarks.size() < MAX_REMARKS) {
        remarks.add(
            "line %d: NodeHealthCheck %s is invalid and has no effect: %s"
                .formatted(tape.lines(), name, Problem.texts(reading.refusals())));
      }
      columns.take(new CheckIsGone(name));
    } else {
      NodeHealthCheck check =
          new NodeHealthCheck(
              name, Metadata.uid(object), reading.spec().get(), NodeHealthCheckStatus.NONE);
      columns.take(new CheckIs(check, AssumedTemplates.of(check)));
    }
    renew();
  }

  /** The definition of unhealthy changed with the NodeHealthChecks in force. */
  private void renew() throws InterruptedException {
    for (NodeFacts node : nodes.all()) {
      columns.take(new NodeAgain(node, atWork.has(node.name())));
    }
  }

  private void remediation(RecordedRemediation remediation) throws InterruptedException {
    hasRemediations = true;
    boolean existed = remediation.created().isBefore(start);
    boolean adopts = existed && now.equals(start) && adopted.add(remediation.uid());
    atWork.put(remediation);
    columns.take(new RemediationIs(remediation, existed, adopts));
  }
}
