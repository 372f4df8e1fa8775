package io.probelet.nodehealth.maintenance;

import static io.probelet.nodehealth.maintenance.Maintenances.maintenance;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.selector.LabelSelector;
import io.probelet.document.selector.LabelSelector.Operator;
import io.probelet.document.selector.LabelSelector.Requirement;
import io.probelet.nodehealth.maintenance.Maintenance.Unreadable;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Unclear;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which nodes are in maintenance, and until when. */
class MaintenanceBookTest {
  private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");
  private static final Map<String, String> RACK = Map.of("rack", "r7");
  private static final Map<String, String> NODE = Map.of("rack", "r7", "zone", "a");

  private static Instant hour(double hour) {
    return START.plusSeconds((long) (hour * 3600));
  }

  private static Maintenance hours(String name, double from, double until) {
    return maintenance(name, RACK, hour(from), Duration.between(hour(from), hour(until)));
  }

  private static Window until(String name, double hour) {
    return new Window(name, "kernel", hour(hour));
  }

  @ParameterizedTest
  @CsvSource({
    "0.99, , ",
    "1, a, 2",
    "1.99, a, 2",
    "2, a, 2",
    "3.99, a, 2",
    "4, c, 7",
    "5, c, 7",
    "6.99, c, 7",
    "7, c, 7",
    "174.9, c, 7",
    "175.1, , "
  })
  @DisplayName("MW-1, MW-3 a window holds from its start to before its end; overlapping ones join")
  void windows(double now, String name, Double until) {
    MaintenanceBook book =
        MaintenanceBook.of(List.of(hours("c", 5, 7), hours("a", 1, 2), hours("b", 4, 5)));
    assertThat(book.of(NODE, null, hour(now))).isEqualTo(name == null ? null : until(name, until));
  }

  @Test
  @DisplayName("MW-1 a short window within a long one does not end it")
  void nested() {
    MaintenanceBook book = MaintenanceBook.of(List.of(hours("long", 1, 9), hours("short", 2, 3)));
    assertThat(book.of(NODE, null, hour(2.5))).isEqualTo(until("long", 9));
    assertThat(book.of(NODE, until("long", 9), hour(3))).isEqualTo(until("long", 9));
  }

  @Test
  @DisplayName("MW-1 only selected nodes are in maintenance")
  void selects() {
    MaintenanceBook book =
        MaintenanceBook.of(
            List.of(
                hours("rack", 1, 2),
                maintenance("all", Map.of(), hour(1), Duration.ofMinutes(30))));
    assertThat(book.of(Map.of("rack", "r8"), null, hour(1))).isEqualTo(until("all", 1.5));
    assertThat(book.of(NODE, null, hour(1))).isEqualTo(until("rack", 2));
    assertThat(book.selecting(NODE)).extracting(Maintenance::name).containsExactly("all", "rack");
    assertThat(book.selecting(Map.of())).extracting(Maintenance::name).containsExactly("all");
  }

  @Test
  @DisplayName("MW-1 selectors of several labels, expressions, or none find their nodes")
  void selectsByAnyLabel() {
    List<Maintenance> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(
          maintenance("m" + i, Map.of("pool", "a", "host", "n" + i), hour(1), Duration.ofHours(1)));
    }
    all.add(
        new Maintenance(
            "exists",
            "u",
            new LabelSelector(
                Map.of(), List.of(new Requirement("gpu", Operator.EXISTS, List.of()))),
            hours("x", 1, 2).plan()));
    MaintenanceBook book = MaintenanceBook.of(all);
    assertThat(book.selecting(Map.of("pool", "a", "host", "n1")))
        .extracting(Maintenance::name)
        .containsExactly("m1");
    assertThat(book.selecting(Map.of("pool", "b", "host", "n1", "gpu", "")))
        .extracting(Maintenance::name)
        .containsExactly("exists");
    assertThat(book.selecting(Map.of("pool", "a"))).isEmpty();
  }

  @Test
  @DisplayName("MW-4 a window that is deleted, shortened or no longer selects the node ends now")
  void endsEarly() {
    Window before = until("a", 4);
    assertThat(MaintenanceBook.NONE.of(NODE, before, hour(2))).isEqualTo(until("a", 2));
    assertThat(MaintenanceBook.of(List.of(hours("a", 1, 1.5))).of(NODE, before, hour(2)))
        .as("it was on until now, whatever it says now")
        .isEqualTo(until("a", 2));
    assertThat(MaintenanceBook.of(List.of(hours("a", 1, 4))).of(Map.of(), before, hour(2)))
        .isEqualTo(until("a", 2));
    assertThat(MaintenanceBook.of(List.of(hours("a", 1, 3))).of(NODE, before, hour(2)))
        .as("shortened, but still on")
        .isEqualTo(until("a", 3));
    assertThat(MaintenanceBook.of(List.of(hours("a", 5, 6))).of(NODE, before, hour(2)))
        .as("postponed")
        .isEqualTo(until("a", 2));
    assertThat(MaintenanceBook.of(List.of(hours("a", 1, 6))).of(NODE, before, hour(2)))
        .as("extended")
        .isEqualTo(until("a", 6));
  }

  @Test
  @DisplayName("MW-4 what ended early stays known, also if the wall clock goes back")
  void remembersEnd() {
    Window ended = until("a", 2);
    assertThat(MaintenanceBook.NONE.of(NODE, ended, hour(3))).isEqualTo(ended);
    assertThat(MaintenanceBook.of(List.of(hours("older", 0, 1))).of(NODE, ended, hour(3)))
        .isEqualTo(ended);
    assertThat(MaintenanceBook.of(List.of(hours("newer", 0, 2.5))).of(NODE, ended, hour(3)))
        .isEqualTo(until("newer", 2.5));
    assertThat(MaintenanceBook.NONE.of(NODE, ended, hour(1))).isEqualTo(until("a", 1));
  }

  @Test
  @DisplayName("MW-5 an invalid Maintenance makes its nodes unclear, and no others")
  void invalid() {
    Maintenance invalid =
        new Maintenance("bad", "u", new LabelSelector(RACK, List.of()), new Unreadable("no start"));
    MaintenanceBook book = MaintenanceBook.of(List.of(invalid, hours("a", 1, 2)));
    assertThat(book.of(NODE, null, hour(1)))
        .isEqualTo(new Unclear("Maintenance bad is invalid: no start"));
    assertThat(book.of(Map.of(), null, hour(1))).isNull();
    assertThat(book.nextChange(hour(0))).contains(hour(1));
  }

  @Test
  @DisplayName("MW-6 if the Maintenances cannot be read, every node is unclear")
  void unknown() {
    assertThat(MaintenanceBook.unknown("why").of(Map.of(), until("a", 9), hour(1)))
        .isEqualTo(new Unclear("why"));
    assertThat(MaintenanceBook.unknown("why").nextChange(hour(0))).isEmpty();
  }

  @Test
  void findsNextBeginningOrEnd() {
    MaintenanceBook book = MaintenanceBook.of(List.of(hours("a", 1, 4), hours("b", 2, 3)));
    List<Instant> changes = new ArrayList<>();
    for (var next = book.nextChange(hour(0));
        next.isPresent();
        next = book.nextChange(next.get())) {
      changes.add(next.get());
    }
    assertThat(changes).containsExactly(hour(1), hour(2), hour(3), hour(4));
  }

  @Test
  @DisplayName("MW-3 one that ended more than 168 hours ago is past, and selects no node")
  void past() {
    Maintenance ended = hours("a", 1, 2);
    Maintenance unreadable =
        new Maintenance("b", "u", LabelSelector.EVERYTHING, new Unreadable("no start"));
    List<Maintenance> all = List.of(ended, unreadable);
    assertThat(MaintenanceBook.recent(all, hour(2 + 168)).selecting(NODE))
        .containsExactly(ended, unreadable);
    assertThat(MaintenanceBook.recent(all, hour(2 + 168).plusSeconds(1)).selecting(NODE))
        .containsExactly(unreadable);
  }
}
