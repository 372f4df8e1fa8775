package io.probelet.probe.rule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.IntNode;
import io.probelet.probe.BodyPattern;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.PodRef;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A2: rules for bodies that cost as much as a pod's author can make them cost. */
class HostileBodyRulesTest {
  private static final String BODY = "a".repeat(10_200) + "b";
  private static final BodyRule HEAVY = new BodyRule.Matches(BodyPattern.of("(a?){240}z"));

  private final BodyRuleThreads bodyRules = new BodyRuleThreads();

  @Test
  @DisplayName("rules that take too long are cut off, and that is a failure which says so")
  void cutOff() {
    Verdict verdict =
        check(pod("pod"), Collections.nCopies(1_000, HEAVY_MATCH), BODY, true).verdict().join();
    assertThat(verdict)
        .isEqualTo(new Failure("HTTP probe failed: the body rules took longer than 300 ms"));
  }

  /** As heavy, but it holds, so that the next rule is looked at, too. */
  private static final BodyRule HEAVY_MATCH = new BodyRule.Matches(BodyPattern.of("(a?){240}b"));

  @Test
  @DisplayName("a pod with a backlog of heavy rules makes no other pod wait for it")
  void fair() {
    List<CompletableFuture<Verdict>> heavy = new ArrayList<>();
    for (int i = 0; i < FairQueue.MAX_PER_POD + 2; i++) {
      heavy.add(check(pod("hostile"), Collections.nCopies(100, HEAVY_MATCH), BODY, true).verdict());
    }
    List<BodyRule> light = List.of(new BodyRule.Contains("b"));
    for (int i = 0; i < 100; i++) {
      assertThat(check(pod("honest"), light, BODY, true).verdict().join())
          .isEqualTo(new Success(BODY));
    }
    assertThat(heavy.stream().filter(CompletableFuture::isDone).count())
        .as("honest work was done while the hostile backlog was still long")
        .isLessThan(FairQueue.MAX_PER_POD / 2);
    assertThat(heavy.getLast().join())
        .as("what goes beyond a pod's bound is discarded, not failed")
        .isEqualTo(
            new ProberError(Reason.POD_BUDGET, "too many responses are waiting for a body check"));
  }

  @Test
  @DisplayName("past the probe's time it is a failure if the rules had time, else it is discarded")
  void timedOut() {
    BodyRuleThreads.BodyCheck running =
        check(pod("pod"), Collections.nCopies(9, HEAVY_MATCH), BODY, true);
    BodyRuleThreads.BodyCheck waiting = check(pod("pod"), List.of(HEAVY), BODY, true);
    assertThat(waiting.timedOut())
        .isEqualTo(
            new ProberError(Reason.POD_BUDGET, "the response waited too long for its body check"));
    running.verdict().join();
    assertThat(running.timedOut())
        .isEqualTo(new Failure("HTTP probe failed: the body rules were not checked in time"));
  }

  @Test
  @DisplayName("8,000 pointer rules parse the body once")
  void manyPointers() {
    StringBuilder body = new StringBuilder("{\"x\":[");
    for (int i = 0; i < 2_000; i++) {
      body.append("1,");
    }
    body.append("1]}");
    List<BodyRule> rules =
        IntStream.range(0, 8_000)
            .mapToObj(i ->
                (BodyRule)
                    new BodyRule.JsonEquals(
                        JsonPointer.compile("/x/" + i % 2_000), IntNode.valueOf(1)))
            .toList();
    assertThat(check(pod("pod"), rules, body.toString(), false).verdict().join().healthy())
        .isTrue();
  }

  @Test
  @DisplayName("JSON that nests without end is no JSON to us")
  void deepJson() {
    String deep = "[".repeat(5_000) + "]".repeat(5_000);
    List<BodyRule> rules =
        List.of(new BodyRule.JsonEquals(JsonPointer.empty(), IntNode.valueOf(1)));
    assertThat(check(pod("pod"), rules, deep, false).verdict().join())
        .isEqualTo(new Failure("HTTP probe failed: body is not JSON"));
  }

  @Test
  @DisplayName("compiled programs are kept within a bound, however many expressions there are")
  void programs() {
    for (int i = 0; i < 100; i++) {
      BodyRule rule = new BodyRule.Matches(BodyPattern.of("(a|b|c){" + (200 + i) + "}q"));
      check(pod("pod" + i), List.of(rule), "abc", false).verdict().join();
      assertThat(bodyRules.kept()).isLessThanOrEqualTo(CompiledPatterns.ROOM);
    }
  }

  private BodyRuleThreads.BodyCheck check(
      PodRef pod, List<BodyRule> rules, String body, boolean cut) {
    TextRules text = new TextRules("body", body, cut, rules, Verdict.Cause.BODY);
    return bodyRules.check(pod, "HTTP", List.of(text), body);
  }

  private static PodRef pod(String name) {
    return new PodRef("default", name, "uid-" + name);
  }
}
