package io.probelet.simulation.rules;

import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.Findings.Broken;
import java.util.List;
import java.util.Optional;

/** All rules of a world. */
public final class RuleBook {
  private final Facts facts = new Facts();
  private final Findings findings = new Findings();
  private final LastChange lastChange = new LastChange();
  private final List<Rule> rules =
      List.of(
          new HealthyIsNeverStopped(),
          new StoppedOnce(),
          new StopsFollowFailures(),
          new OrderCarriedOutOnce(),
          new RemediationsStayLimited(facts),
          new OneRemediationPerNode(facts),
          new LeaseIsHeld(facts),
          new DeposedLeaderWritesNothing(),
          new ConditionsTellTheTruth(facts),
          new OnlyOwnFields(),
          new KillsAreReported(),
          new KillsAreRecorded(),
          new NoInternalErrors(),
          new GatesSettle(),
          new GatesWaitForStart(),
          new FailingIsRestarted(),
          new EscalationEnds(),
          new LeadersAreElected(),
          new ChecksStayEnabled(),
          new NewestSpecCounts(),
          new JobsRunOnce(),
          new NothingStaysOnNodes(),
          new RemediationsAreReported(),
          new RemediationsLast(facts),
          new OneEventForOneCause(),
          new StopsCompleteNoJob(),
          new StepsTimeOut(facts),
          new ProbesFollowTheTruth(),
          new DecisionsComeSoon(facts),
          new RemediationsFitHealth(facts),
          new RemediatorsGoOn(facts),
          new TaintsStayLimited(facts),
          new RestartChangesNothing());

  /** {@return the rules} */
  public List<Rule> rules() {
    return rules;
  }

  /** {@return what is true in the world after all events so far} */
  public Facts facts() {
    return facts;
  }

  /** {@return what was found} */
  public Findings findings() {
    return findings;
  }

  /** Tells all rules of an event. */
  public void saw(WorldEvent event) {
    facts.saw(event);
    lastChange.saw(event);
    for (Rule rule : rules) {
      rule.saw(event, findings);
    }
  }

  /** {@return when anything but a heartbeat changed last, in nanoseconds since the beginning} */
  public long changed() {
    return lastChange.at();
  }

  /**
   * {@return whether all would hold if this were the end, and all nodes and containers are healthy}
   */
  public boolean isRight(EndState now) {
    boolean healthy =
        now.instances().stream()
            .allMatch(each -> each.running() && Truth.failing(each, now.at()).isEmpty());
    boolean ready =
        facts
            .all("Node")
            .allMatch(
                node -> ObjectFields.condition(node, "Ready").filter("True"::equals).isPresent());
    if (!healthy || !ready) {
      return false;
    }
    Findings trial = new Findings();
    rules.forEach(rule -> rule.settled(now, trial));
    return trial.broken().isEmpty();
  }

  /** Checks what must hold at the end. */
  public void settled(EndState end) {
    for (Rule rule : rules) {
      rule.settled(end, findings);
    }
  }

  /** {@return the first rule that was broken} */
  public Optional<Broken> broken() {
    return findings.broken();
  }
}
