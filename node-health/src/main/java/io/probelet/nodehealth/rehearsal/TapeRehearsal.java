package io.probelet.nodehealth.rehearsal;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Problem;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
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
import io.probelet.nodehealth.tape.TapeLine.NodeGone;
import io.probelet.nodehealth.tape.TapeLine.NodeSeen;
import io.probelet.nodehealth.tape.TapeLine.RemediationGone;
import io.probelet.nodehealth.tape.TapeLine.RemediationSeen;
import io.probelet.nodehealth.tape.TapeReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Plays a tape once, for the NodeHealthChecks on it and for all candidates at the same time. The
 * lines of one moment count as one change (TP-2).
 *
 * <p>Not safe for use by several threads.
 */
public final class TapeRehearsal {
  /** So many remarks are kept. */
  private static final int MAX_REMARKS = 20;

  private final TapeReader tape;
  private final Instant start;
  private final Play inForce;
  private final Recorded recorded;
  private final List<Play> plays = new ArrayList<>();
  private final Map<String, NodeFacts> nodes = new HashMap<>();
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

  private TapeRehearsal(TapeReader tape, List<Candidate> candidates, Duration heals) {
    this.tape = tape;
    this.start = tape.header().start();
    this.now = start;
    this.inForce =
        new Play(new Candidate("in force", List.of(), Map.of(), List.of()), heals, start);
    this.recorded = new Recorded(inForce);
    plays.add(inForce);
    for (Candidate candidate : candidates) {
      plays.add(new Play(candidate, heals, start));
    }
  }

  /**
   * Plays a tape to its end.
   *
   * @param tape the tape, of which nothing but the header has been read
   * @param candidates the NodeHealthChecks to try, beside those on the tape
   * @param heals how long a remediation is taken to need until its node is healthy (TP-7)
   * @return what came of it
   * @throws TapeException if the tape cannot be read
   */
  public static Comparison play(TapeReader tape, List<Candidate> candidates, Duration heals)
      throws TapeException {
    return new TapeRehearsal(tape, candidates, heals).play();
  }

  private Comparison play() throws TapeException {
    for (TapeLine line = tape.next(); line != null; line = tape.next()) {
      if (line.at().isAfter(now)) {
        plays.forEach(Play::settleIfNews);
        now = line.at();
        plays.forEach(play -> play.advanceTo(now));
      }
      take(line);
    }
    Instant end = tape.last();
    List<Tally> columns = new ArrayList<>();
    List<Tally> tallies = plays.stream().map(play -> play.finish(end)).toList();
    if (hasRemediations) {
      columns.add(recorded.finish(end));
    }
    columns.addAll(hasChecks ? tallies : tallies.subList(1, tallies.size()));
    return new Comparison(
        tape.header(),
        end,
        tape.ended(),
        tape.lines(),
        mostNodes,
        unseen,
        columns,
        List.copyOf(remarks));
  }

  private void take(TapeLine line) {
    switch (line) {
      case NodeSeen(_, NodeFacts node, boolean isCordoned) -> {
        cordon(node.name(), isCordoned);
        put(node);
      }
      case NodeGone(_, String node) -> {
        nodes.remove(node);
        cordoned.remove(node);
        plays.forEach(play -> play.nodeGone(node));
        recorded.nodeGone(node);
      }
      case ConditionChange(_, String node, String type, String status, Instant since) ->
          put(known(node).withCondition(type, status, since));
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
        inForce.checkGone(name);
        renew();
      }
      case RemediationSeen(_, RecordedRemediation remediation) -> remediation(remediation);
      case RemediationGone(_, String uid) -> {
        adopted.remove(uid);
        recorded.remediationGone(uid);
      }
      case Gap(Instant at, Instant from) -> unseen = unseen.plus(Duration.between(from, at));
      case End _ -> {}
    }
  }

  private NodeFacts known(String node) {
    return Objects.requireNonNull(nodes.get(node), node); // the reader has checked
  }

  private void put(NodeFacts node) {
    nodes.put(node.name(), node);
    mostNodes = Math.max(mostNodes, nodes.size());
    boolean helped = recorded.has(node.name()) || cordoned.contains(node.name());
    plays.forEach(play -> play.node(node, helped));
    recorded.node(node);
  }

  /** Whoever cordons a node, or uncordons it, works on it (TP-6). */
  private void cordon(String node, boolean isCordoned) {
    boolean changed = isCordoned ? cordoned.add(node) : cordoned.remove(node);
    if (changed) {
      helped(node);
    }
  }

  private void helped(String node) {
    plays.forEach(play -> play.helped(node));
    recorded.helped(node);
  }

  private void check(String name, JsonNode object) {
    hasChecks = true;
    NodeHealthCheckReader.Reading reading = reader.read(object);
    if (reading.spec().isEmpty()) {
      if (remarks.size() < MAX_REMARKS) {
        remarks.add(
            "line %d: NodeHealthCheck %s is not valid and does nothing: %s"
                .formatted(tape.lines(), name, Problem.texts(reading.refusals())));
      }
      inForce.checkGone(name);
    } else {
      NodeHealthCheck check =
          new NodeHealthCheck(
              name, Metadata.uid(object), reading.spec().get(), NodeHealthCheckStatus.NONE);
      inForce.check(check, AssumedTemplates.of(check));
    }
    renew();
  }

  /** What is unhealthy has changed with the NodeHealthChecks in force. */
  private void renew() {
    for (NodeFacts node : nodes.values()) {
      inForce.node(node, recorded.has(node.name()));
      recorded.node(node);
    }
  }

  private void remediation(RecordedRemediation remediation) {
    hasRemediations = true;
    boolean existed = remediation.created().isBefore(start);
    if (existed && now.equals(start) && adopted.add(remediation.uid())) {
      inForce.adopt(remediation);
    }
    recorded.remediation(remediation, existed);
    plays.forEach(play -> play.helped(remediation.node()));
    if (remediation.succeeded() != Success.UNKNOWN) {
      plays.forEach(play -> play.said(remediation));
    }
  }
}
