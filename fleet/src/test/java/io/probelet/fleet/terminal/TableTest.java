package io.probelet.fleet.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables that fit a window. */
class TableTest {
  private static Table table(int columns) {
    Table table = new Table("POD", "ID", "STATE", "MESSAGE").within(columns, "ID", "STATE");
    table.add(List.of("web", "0123456789abcdef", "CrashLoopBackOff", "connection refused by db"));
    return table;
  }

  @Test
  void showsEverythingInFile() {
    assertThat(table(Terminal.UNLIMITED).lines())
        .containsExactly(
            "POD   ID                 STATE              MESSAGE",
            "web   0123456789abcdef   CrashLoopBackOff   connection refused by db");
  }

  @Test
  void dropsLeastImportantColumnsFirst() {
    assertThat(table(60).lines())
        .containsExactly(
            "POD   STATE              MESSAGE",
            "web   CrashLoopBackOff   connection refused by db");
    assertThat(table(30).lines())
        .containsExactly("POD   MESSAGE", "web   connection refused by db");
  }

  @Test
  void cutsLastColumnAndKeepsItsBeginning() {
    Table table = table(40);
    table.add(List.of("web", "x", "Running", "HTTP probe failed with statuscode: 500"));
    assertThat(table.lines())
        .last()
        .isEqualTo("web   HTTP probe failed with statuscode…")
        .asString()
        .hasSize(40);
  }

  @Test
  void neverCutsLastColumnToNothing() {
    Table table = new Table("A", "B").within(5);
    table.add(List.of("x".repeat(40), "y".repeat(40)));
    assertThat(table.lines().getLast()).endsWith("y".repeat(11) + "…");
  }

  private static Table names(int columns) {
    Table table =
        new Table("NAMESPACE", "POD", "STATE", "MESSAGE")
            .within(columns)
            .cutting("NAMESPACE", "POD")
            .atLastWithout("NAMESPACE");
    table.add(List.of("shop", "checkout-" + "x".repeat(244), "Running", ""));
    table.add(List.of("shop", "web", "CrashLoopBackOff", "connection refused by db-0.db.shop"));
    return table;
  }

  @Test
  void cutsMiddleOfNamesAndKeepsStates() {
    assertThat(names(80).lines())
        .containsExactly(
            "NAMESPACE   POD                      STATE              MESSAGE",
            "shop        checkout-xx…xxxxxxxxxx   Running",
            "shop        web                      CrashLoopBackOff   connection refused by d…");
    assertThat(names(44).lines())
        .containsExactly(
            "POD        STATE              MESSAGE",
            "chec…xxx   Running",
            "web        CrashLoopBackOff   connection re…");
  }

  @Test
  void keepsOtherColumnsBesideLongName() {
    Table table = new Table("POD", "PROBES", "LAST").within(100, "PROBES").cutting("POD");
    table.add(List.of("x".repeat(253), "readiness=Success", "now"));
    assertThat(table.lines().getLast())
        .isEqualTo("x".repeat(36) + "…" + "x".repeat(36) + "   readiness=Success   now");
  }

  @Test
  void everyLineFits() {
    for (int columns = 40; columns < 300; columns++) {
      int most = columns;
      assertThat(names(columns).lines()).allMatch(line -> line.length() <= most);
    }
  }
}
