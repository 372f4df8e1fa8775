package io.probelet.nodehealth.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.policy.RemediationPolicyReader;
import io.probelet.nodehealth.rehearsal.RehearsalTotals.Held;
import io.probelet.nodehealth.rehearsal.RehearsalTotals.Listed;
import io.probelet.nodehealth.rehearsal.RehearsalTotals.Outcome;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckReader;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.tape.TapeReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a rehearsal counts, on tapes of some lines. */
class TapeRehearsalTest {
  private static final Instant START = Instant.parse("2026-10-01T00:00:00Z");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Unhealthy after 5m. */
  private static final String CHECK =
      """
      {"apiVersion": "remediation.medik8s.io/v1alpha1", "kind": "NodeHealthCheck",
       "metadata": {"name": "workers", "uid": "c1"},
       "spec": {"selector": {"matchLabels": {"pool": "workers"}}, "minHealthy": "51%",
         "unhealthyConditions": [{"type": "Ready", "status": "Unknown", "duration": "5m"}],
         "escalatingRemediations": [
           {"order": 1, "timeout": "10m", "remediationTemplate":
             {"apiVersion": "a/v1", "kind": "RestartTemplate", "name": "a", "namespace": "n"}},
           {"order": 2, "timeout": "10m", "remediationTemplate":
             {"apiVersion": "a/v1", "kind": "RebootTemplate", "name": "b", "namespace": "n"}}]}}
      """;

  @TempDir private Path folder;
  private List<RemediationPolicy> policies = List.of();
  private final List<String> lines = new ArrayList<>();

  TapeRehearsalTest() {
    lines.add("{\"tape\":1,\"start\":\"" + START + "\"}");
    for (String name : List.of("a", "b", "c")) {
      at(
          0,
          "'node':{'name':'%s','labels':{'pool':'workers'},'conditions':[{'type':'Ready','status':'True'}]}"
              .formatted(name));
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a flap: too short|ready(600,a,Unknown) ready(800,a,True)||0|200|200",
        "by itself: 10m1s + 5m + 119s|ready(600,a,Unknown) ready(1020,a,True)|BY_ITSELF|1|420|361",
        "TP-2 healthy at the moment when it would be due"
            + "|ready(600,a,Unknown) ready(901,a,True)||0|301|301",
        "at the last moment of its time"
            + "|ready(600,a,Unknown) ready(1501,a,True)|BY_ITSELF|1|901|361",
        "later: its time was over, two steps tried"
            + "|ready(600,a,Unknown) ready(1502,a,True)|LATER|2|902|361",
        "somebody cordoned it"
            + "|ready(600,a,Unknown) cordon(700,a,true) ready(1020,a,True)|WITH_HELP|1|420|361",
        "somebody uncordoned it|cordon(10,a,true) ready(600,a,Unknown) cordon(1000,a,false)"
            + " ready(1020,a,True)|WITH_HELP|1|420|361",
        "it was cordoned all the time"
            + "|cordon(10,a,true) ready(600,a,Unknown) ready(1020,a,True)|WITH_HELP|1|420|361",
        "somebody cordoned it before"
            + "|cordon(10,a,true) cordon(20,a,false) ready(600,a,Unknown) ready(1020,a,True)"
            + "|BY_ITSELF|1|420|361",
        "a recorded remediation came|ready(600,a,Unknown) remediation(700,a,Other,Unknown)"
            + " ready(1020,a,True)|WITH_HELP|1|420|361",
        "one came and went before"
            + "|remediation(100,a,Other,Unknown) gone(200,a) ready(600,a,Unknown)"
            + " ready(1020,a,True)|BY_ITSELF|1|420|361",
        "the node was deleted|ready(600,a,Unknown) deleted(1020,a)|DELETED|1|420|361",
        "unfinished at the end|ready(600,a,Unknown) end(1020)|NOT_OVER|1|420|361",
        "TP-4 a remediator of its kind says it failed: on to the next step"
            + "|ready(600,a,Unknown) remediation(950,a,Restart,False) ready(1020,a,True)"
            + "|WITH_HELP|2|420|361",
        "TP-4 of another kind|ready(600,a,Unknown) remediation(950,a,Other,False)"
            + " ready(1020,a,True)|WITH_HELP|1|420|361",
      })
  @DisplayName("TP-3 TP-5 TP-6 TP-7 one spell of one node, and what comes of it")
  void spell(String name, String story, String outcome, int created, long unhealthy, long estimate)
      throws Exception {
    for (String event : story.split(" ", -1)) {
      add(event);
    }
    if (!story.contains("end(")) {
      at(7200, "'end':true");
    }
    RehearsalTotals tally = play().columns().getLast();
    assertThat(tally.remediations()).isEqualTo(created);
    assertThat(tally.nodes()).isEqualTo(Math.min(created, 1));
    assertThat(tally.outcomes())
        .isEqualTo(outcome == null ? Map.of() : Map.of(Outcome.valueOf(outcome), 1L));
    assertThat(tally.unhealthy()).hasSeconds(unhealthy);
    assertThat(tally.estimate()).hasSeconds(estimate);
    assertThat(tally.saved()).hasSeconds(unhealthy - estimate);
  }

  @Test
  @DisplayName("remediations are listed with when their node was healthy, and counted at once")
  void list() throws Exception {
    ready(0, "c", "Other");
    label(0, "c", "others");
    ready(600, "a", "Unknown");
    ready(660, "b", "Unknown");
    ready(1000, "a", "True");
    ready(1700, "b", "True");
    ready(5000, "a", "Unknown");
    at(5600, "'end':true");
    String check = CHECK.replace("51%", "0%");
    RehearsalTotals tally = play(check).columns().getLast();
    assertThat(tally.first())
        .containsExactly(
            new Listed(sec(901), "a", "Restart", "workers", Outcome.BY_ITSELF, sec(1000)),
            new Listed(sec(961), "b", "Restart", "workers", Outcome.LATER, sec(1700)),
            new Listed(sec(1561), "b", "Reboot", "workers", Outcome.LATER, sec(1700)),
            new Listed(sec(5301), "a", "Restart", "workers", Outcome.NOT_OVER, null));
    assertThat(tally.mostAtOnce()).isEqualTo(2);
    assertThat(tally.nodes()).isEqualTo(2);
    assertThat(tally.givenUp()).isEqualTo(1);
  }

  @Test
  @DisplayName("what holds back is counted for each node, with how long")
  void holds() throws Exception {
    ready(600, "a", "Unknown");
    ready(660, "b", "Unknown");
    ready(1500, "b", "True");
    ready(1600, "a", "True");
    at(7200, "'end':true");
    RehearsalTotals tally = play().columns().getLast();
    // Two of three are needed; a waits from 15m1s, b from 16m1s, both until b is back at 25m.
    // Then a waits two seconds more, in case it is about to be back as well.
    assertThat(tally.holds())
        .containsExactly(
            Map.entry("Settling", new Held(1, Duration.ofSeconds(2))),
            Map.entry("TooFewHealthy", new Held(2, Duration.ofSeconds(599 + 539))));
    assertThat(tally.remediations()).isEqualTo(1);
  }

  @Test
  @DisplayName("policies limit a candidate, and not what is in force")
  void policy() throws Exception {
    check(0, CHECK);
    ready(600, "a", "Unknown");
    ready(1100, "a", "True");
    at(7200, "'end':true");
    policies = List.of(paused());
    List<RehearsalTotals> columns = play().columns();
    assertThat(columns.get(0).remediations()).isEqualTo(1);
    assertThat(columns.get(1).remediations()).isZero();
    assertThat(columns.get(1).holds()).hasSize(1);
  }

  private static RemediationPolicy paused() throws IOException {
    JsonNode object =
        JSON.readTree(
            """
            {"apiVersion": "probelet.io/v1alpha1", "kind": "RemediationPolicy",
             "metadata": {"name": "pause"}, "spec": {"paused": true}}
            """);
    return RemediationPolicyReader.read(object);
  }

  @Test
  @DisplayName("TP-3 the NodeHealthChecks on the tape are played beside what was recorded")
  void inForce() throws Exception {
    check(0, CHECK);
    ready(600, "a", "Unknown");
    remediation(902, "a", "Restart", "Unknown");
    ready(1100, "a", "True");
    at(1101, "'remediationGone':'r-a'");
    at(1300, "'gap':{'from':'" + sec(1200) + "'}");
    ready(2000, "b", "Unknown");
    at(2100, "'checkGone':'workers'");
    ready(4000, "b", "True");
    at(7200, "'end':true");
    Comparison comparison = play();
    assertThat(comparison.columns())
        .extracting(RehearsalTotals::title)
        .containsExactly("recorded", "in force", "candidate");
    assertThat(comparison.unseen()).hasSeconds(100);
    assertThat(comparison.mostNodes()).isEqualTo(3);
    assertThat(comparison.complete()).isTrue();
    assertThat(comparison.columns().get(0).first())
        .containsExactly(
            new Listed(sec(902), "a", "Restart", "workers", Outcome.WITH_HELP, sec(1100)));
    assertThat(comparison.columns().get(1).first())
        .containsExactly(
            new Listed(sec(901), "a", "Restart", "workers", Outcome.WITH_HELP, sec(1100)));
    assertThat(comparison.columns().get(0).unhealthy()).hasSeconds(500 + 100);
    assertThat(comparison.columns().get(0).saved()).isZero();
    assertThat(comparison.columns().get(2).remediations()).isEqualTo(3);
  }

  @Test
  @DisplayName("TP-3 what existed before the tape began goes on, and is not counted as created")
  void adopted() throws Exception {
    check(0, CHECK);
    at(0, "'condition':{'node':'a','type':'Ready','status':'Unknown','since':'" + sec(-900) + "'}");
    at(
        0,
        "'remediation':{'apiVersion':'a/v1','kind':'Restart','namespace':'n','name':'a','uid':'r-a',"
            + "'node':'a','check':'workers','template':'a','created':'"
            + sec(-300)
            + "'}");
    ready(100, "a", "True");
    at(7200, "'end':true");
    List<RehearsalTotals> columns = play().columns();
    assertThat(columns.get(0).remediations()).isZero();
    assertThat(columns.get(1).remediations()).as("in force").isZero();
    assertThat(columns.get(1).mostAtOnce()).isEqualTo(1);
    assertThat(columns.get(2).remediations()).as("the candidate begins anew").isEqualTo(1);
  }

  @Test
  @DisplayName("a NodeHealthCheck on the tape that is not valid does nothing, and is named")
  void invalidCheck() throws Exception {
    check(0, CHECK.replace("\"51%\"", "\"lots\""));
    ready(600, "a", "Unknown");
    at(7200, "'end':true");
    Comparison comparison = play();
    assertThat(comparison.remarks())
        .singleElement()
        .asString()
        .startsWith("line 5: NodeHealthCheck workers is invalid and has no effect: ");
    assertThat(comparison.columns().getFirst().remediations()).isZero();
  }

  @Test
  @DisplayName("candidates that are played together come to what each comes to alone")
  void together() throws Exception {
    check(0, CHECK);
    Random random = new Random(19);
    for (int at = 1; at < 9000; at++) {
      String node = List.of("a", "b", "c").get(random.nextInt(3));
      switch (random.nextInt(40)) {
        case 0 -> label(at * 10, node, random.nextBoolean() ? "others" : "workers");
        case 1 -> add("cordon(%d,%s,%s)".formatted(at * 10, node, random.nextBoolean()));
        case 2 -> remediation(at * 10, node, "Restart", random.nextBoolean() ? "Unknown" : "False");
        case 3 -> check(at * 10, CHECK.replace("5m", random.nextBoolean() ? "4m" : "5m"));
        default -> ready(at * 10, node, random.nextInt(20) == 0 ? "Unknown" : "True");
      }
    }
    List<Candidate> candidates = new ArrayList<>();
    for (String duration : List.of("10s", "3m", "20m")) {
      candidates.add(candidate(duration, CHECK.replace("5m", duration).replace("51%", "30%")));
    }
    List<RehearsalTotals> together = play(candidates).columns();
    assertThat(together).hasSize(5);
    for (int i = 0; i < candidates.size(); i++) {
      List<RehearsalTotals> alone = play(candidates.subList(i, i + 1)).columns();
      assertThat(alone).containsExactly(together.get(0), together.get(1), together.get(i + 2));
    }
    assertThat(together.get(2).remediations()).isGreaterThan(together.get(4).remediations());
  }

  @Test
  @DisplayName("a tape without its end is played until its last line")
  void cutOff() throws Exception {
    ready(600, "a", "Unknown");
    ready(1020, "a", "True");
    Comparison comparison = play();
    assertThat(comparison.complete()).isFalse();
    assertThat(comparison.end()).isEqualTo(sec(1020));
  }

  private void add(String event) {
    String[] parts = event.split("[(,)]", -1);
    int at = Integer.parseInt(parts[1]);
    switch (parts[0]) {
      case "ready" -> ready(at, parts[2], parts[3]);
      case "cordon" -> at(at, "'cordon':{'node':'" + parts[2] + "','cordoned':" + parts[3] + "}");
      case "remediation" -> remediation(at, parts[2], parts[3], parts[4]);
      case "gone" -> at(at, "'remediationGone':'r-" + parts[2] + "'");
      case "deleted" -> at(at, "'nodeGone':'" + parts[2] + "'");
      case "end" -> at(at, "'end':true");
      default -> throw new IllegalArgumentException(event);
    }
  }

  private void ready(int at, String node, String status) {
    at(at, "'condition':{'node':'%s','type':'Ready','status':'%s'}".formatted(node, status));
  }

  private void label(int at, String node, String pool) {
    at(at, "'labels':{'node':'%s','set':{'pool':'%s'}}".formatted(node, pool));
  }

  private void remediation(int at, String node, String kind, String succeeded) {
    at(
        at,
        ("'remediation':{'apiVersion':'a/v1','kind':'%s','namespace':'n','name':'%s','uid':'r-%s',"
                + "'node':'%s','check':'workers','succeeded':'%s'}")
            .formatted(kind, node, node, node, succeeded));
  }

  private void check(int at, String check) throws IOException {
    at(at, "'check':" + JSON.readTree(check));
  }

  @Test
  @DisplayName(
      "MW-12 a Maintenance on the tape holds remediation in every column, until it is gone")
  void maintenance() throws Exception {
    at(
        0,
        "'maintenance':{'metadata':{'name':'m'},'spec':{'start':'%s','duration':'2h','nodeSelector':{'matchLabels':{'pool':'workers'}}}}"
            .formatted(START));
    add("ready(600,a,Unknown)");
    at(3600, "'maintenanceGone':'m'");
    at(7200, "'end':true");
    RehearsalTotals tally = play().columns().getLast();
    assertThat(tally.first().getFirst().at())
        .as("five minutes after it was deleted")
        .isBetween(sec(3_900), sec(3_903));
    assertThat(tally.holds()).containsKey("InMaintenance");
  }

  private void at(int seconds, String change) {
    lines.add("{'at':'%s',%s}".formatted(sec(seconds), change).replace('\'', '"'));
  }

  private static Instant sec(int seconds) {
    return START.plusSeconds(seconds);
  }

  private Comparison play() throws Exception {
    return play(CHECK);
  }

  /** For a candidate whose remediations heal after a minute. */
  private Comparison play(String check) throws Exception {
    return play(List.of(candidate("candidate", check)));
  }

  private Candidate candidate(String title, String check) throws IOException {
    JsonNode object = JSON.readTree(check);
    NodeHealthCheck candidate =
        new NodeHealthCheck(
            "workers",
            "",
            NodeHealthCheckReader.ofNew(TemplateKinds.UNKNOWN).read(object).spec().orElseThrow(),
            NodeHealthCheckStatus.NONE);
    return new Candidate(title, List.of(candidate), AssumedTemplates.of(candidate), policies);
  }

  private Comparison play(List<Candidate> candidates) throws Exception {
    Path tape = Files.write(folder.resolve("tape.jsonl"), lines);
    try (TapeReader reader = TapeReader.open(tape)) {
      return TapeRehearsal.play(reader, candidates, Duration.ofMinutes(1));
    }
  }
}
