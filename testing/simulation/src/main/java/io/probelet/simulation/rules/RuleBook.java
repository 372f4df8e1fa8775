package io.probelet.simulation.rules;

import io.probelet.simulation.rules.Findings.Broken;
import java.util.List;
import java.util.Optional;

/** All rules of a world. */
public final class RuleBook {
  private final Facts facts = new Facts();
  private final Findings findings = new Findings();
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
          new ConditionsTellTheTruth(),
          new OnlyOwnFields(),
          new KillsAreReported(),
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
    for (Rule rule : rules) {
      rule.saw(event, findings);
    }
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
