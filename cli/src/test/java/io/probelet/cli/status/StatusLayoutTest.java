package io.probelet.cli.status;

import static io.probelet.web.Snapshots.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.cli.status.AgentClient.Reply;
import io.probelet.fleet.terminal.Colours;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.Snapshots;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ManifestsView;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.NodeView.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code status -w} shows where there is no room for all. */
class StatusLayoutTest {
  @Test
  void showsBrokenOneOfSixtyOn24Rows() {
    List<String> lines = lines(pods(60, 57), conditions(8, 0), 24);
    assertThat(lines).hasSizeLessThanOrEqualTo(24);
    assertThat(lines.get(0)).isEqualTo("1 of 60 containers not ready; no node problems");
    assertThat(lines.get(2)).contains("app-57", "CrashLoopBackOff");
    assertThat(lines.get(3)).contains("exit code 1, 5s ago: \"database is away\"", "log: /log/57");
    assertThat(lines).contains("… 41 healthy containers not shown");
    assertThat(lines.getLast()).isEqualTo("… 8 healthy node conditions not shown");
  }

  @Test
  void countsBrokenOnesThatDoNotFit() {
    List<String> lines = lines(pods(60, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), List.of(), 12);
    assertThat(lines).hasSizeLessThanOrEqualTo(12);
    assertThat(lines.getLast()).isEqualTo("… 56 containers not shown: 8 unhealthy, 48 healthy");
  }

  @Test
  void keepsRoomForConditionsThatAreProblems() {
    List<String> lines = lines(pods(60, 57), conditions(8, 2), 24);
    assertThat(lines).hasSizeLessThanOrEqualTo(24);
    assertThat(lines.stream().filter(line -> line.contains("True"))).hasSize(2);
    assertThat(lines.getLast()).isEqualTo("… 6 healthy node conditions not shown");
  }

  @Test
  void showsAllWhereThereIsRoom() {
    List<String> lines = lines(pods(3, 2), conditions(2, 1), 24);
    assertThat(lines).hasSize(10).noneMatch(line -> line.contains("not shown"));
    assertThat(lines.get(8)).contains("True");
  }

  @Test
  @DisplayName("Attack: names of 253 characters, in windows of 40 columns and more")
  void everyRowFitsTheWindow() {
    List<ContainerView> containers = new ArrayList<>(pods(6, 3));
    ContainerView broken =
        containers.stream().filter(each -> !each.asItShouldBe()).findFirst().orElseThrow();
    containers.add(renamed(broken, "p".repeat(253), "c".repeat(63)));
    containers.add(renamed(broken, "web", "c".repeat(63)));
    Reply reply = Replies.of("", containers, conditions(4, 1), List.of(), ManifestsView.VALID);
    for (int columns = 40; columns <= 200; columns++) {
      List<String> lines = lines(reply, 24, columns);
      int most = columns;
      assertThat(lines).hasSizeLessThanOrEqualTo(24).allMatch(line -> line.length() <= most);
      assertThat(lines)
          .anyMatch(line -> line.contains("pp…pp") && line.contains("CrashLoopBackOff"));
      assertThat(String.join(" ", lines)).contains("exit code 1");
    }
  }

  private static ContainerView renamed(ContainerView it, String pod, String container) {
    return new ContainerView(
        "n".repeat(63),
        pod,
        container,
        it.role(),
        it.id(),
        it.state(),
        it.message(),
        it.ready(),
        it.started(),
        it.restartCount(),
        it.startedAt(),
        it.nextStart(),
        it.lastTermination(),
        it.logPath(),
        it.warnings(),
        it.probes());
  }

  @Test
  void neverExceedsTheRoom() {
    for (int room = 2; room < 40; room++) {
      for (int conditions : new int[] {0, 1, 8}) {
        List<String> lines = lines(pods(20, 3, 4), conditions(conditions, conditions), room);
        if (room >= 9) {
          assertThat(lines).as("room %d", room).hasSizeLessThanOrEqualTo(room);
          assertThat(lines.get(2)).contains("app-3");
        }
      }
    }
  }

  @Test
  @DisplayName("invalid manifests come first, and those that do not fit are counted")
  void manifests() {
    for (int files : List.of(1, 3, 20)) {
      ManifestsView invalid =
          new ManifestsView(
              IntStream.rangeClosed(1, files)
                  .mapToObj(i ->
                      new ManifestsView.InvalidFileView(
                          "p" + i + ".yaml", 3, 5, "spec", "wrong", 1, "LastValid", ""))
                  .toList(),
              0);
      List<String> lines =
          lines(Replies.of("", pods(60, 57), List.of(), List.of(), invalid), 20, 200);
      assertThat(lines).hasSizeLessThanOrEqualTo(20);
      assertThat(lines.get(1)).startsWith("INVALID MANIFEST");
      assertThat(lines.get(2)).startsWith("p1.yaml");
      assertThat(lines).anyMatch(line -> line.contains("app-57"));
      assertThat(lines.contains("… 17 invalid manifests not shown")).isEqualTo(files == 20);
    }
  }

  private static List<String> lines(
      List<ContainerView> containers, List<ConditionView> conditions, int room) {
    List<Source> unavailable = List.of();
    return lines(
        Replies.of("", containers, conditions, unavailable, ManifestsView.VALID), room, 200);
  }

  private static List<String> lines(Reply reply, int room, int columns) {
    return StatusLayout.lines(
        StatusFilter.summary(reply), reply, room, columns, NOON, Colours.NONE);
  }

  @Test
  void keepsReasonInNarrowWindow() {
    Reply reply = Replies.of("", pods(60, 57), conditions(8, 1), List.of(), ManifestsView.VALID);
    for (int columns : new int[] {40, 60, 80, 100}) {
      List<String> lines = lines(reply, 24, columns);
      assertThat(lines).as("%d columns", columns).hasSizeLessThanOrEqualTo(24);
      assertThat(String.join(" ", lines).replaceAll(" +", " "))
          .contains("exit code 1, 5s ago: \"database is away\"; log: /log/57");
      assertThat(lines.stream().filter(line -> line.startsWith("    ")))
          .isNotEmpty()
          .allMatch(line -> line.length() <= columns);
      if (columns >= 80) {
        assertThat(lines).allMatch(line -> line.length() <= columns);
      }
    }
  }

  private static List<ContainerView> pods(int count, int... broken) {
    List<ContainerView> pods = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      int number = i;
      boolean breaks = java.util.Arrays.stream(broken).anyMatch(each -> each == number);
      ContainerObservation seen =
          breaks
              ? ContainerObservation.waiting("id-" + i, 4, "CrashLoopBackOff")
                  .with(
                      new ContainerDetails(
                          "",
                          new Termination(1, 0, "Error", "database is away", NOON.minusSeconds(5)),
                          "/log/" + i))
              : ContainerObservation.running("id-" + i, NOON, 0);
      pods.add(
          ContainerView.of(
              Snapshots.container("shop", "app-" + i, "main", seen, !breaks, !breaks), 1));
    }
    return pods;
  }

  private static List<ConditionView> conditions(int count, int problems) {
    List<ConditionView> conditions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean problem = i >= count - problems;
      conditions.add(
          new ConditionView(
              "Condition" + i, problem ? "True" : "False", "Reason", "text", NOON.toString()));
    }
    return conditions;
  }
}
