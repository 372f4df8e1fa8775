package io.probelet.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.probe.PodRef;
import io.probelet.runtime.cri.ExecSlots.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** W-22: who gets a slot, and who loses it; commands are slots that the test gives back. */
class ExecSlotsTest {
  private final ManualClock time = new ManualClock(Instant.EPOCH);
  private final ExecSlots slots = new ExecSlots(16, time);

  private static PodRef pod(String namespace, int number) {
    return new PodRef(namespace, "pod-" + number, namespace + "-" + number);
  }

  /** Asks with one command of each of so many pods. */
  private List<Slot> ask(String namespace, int pods) {
    List<Slot> all = new ArrayList<>();
    for (int i = 0; i < pods; i++) {
      all.add(slots.ask(pod(namespace, i)));
    }
    return all;
  }

  private static long begun(List<Slot> asked) {
    return asked.stream().filter(ExecSlots::hasBegun).count();
  }

  private static long lost(List<Slot> asked) {
    return asked.stream().filter(slot -> slot.lost().isDone()).count();
  }

  @Test
  void hangingNamespaceLeavesSlotsToOthers() {
    List<Slot> hanging = ask("hostile", 20);
    assertThat(begun(hanging)).isEqualTo(12);
    for (int probe = 0; probe < 100; probe++) {
      Slot honest = slots.ask(pod("shop", 0));
      assertThat(ExecSlots.hasBegun(honest)).isTrue();
      honest.giveBack();
    }
    assertThat(lost(hanging)).isZero();
    assertThat(slots.stats()).isEqualTo(new CriStats.Execs(16, 12, 8, 112, Duration.ZERO, 0));
  }

  @Test
  void hangingPodLeavesSlotsToOtherPodsOfItsNamespace() {
    List<Slot> hanging = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      hanging.add(slots.ask(pod("shop", 0)));
    }
    assertThat(begun(hanging)).isEqualTo(4);
    assertThat(ExecSlots.hasBegun(slots.ask(pod("shop", 1)))).isTrue();
  }

  @Test
  void freeSlotsGoToNamespacesAndPodsInTurn() {
    List<Slot> first = ask("a", 12);
    List<Slot> second = ask("b", 4);
    List<Slot> waitingA = ask("a", 4);
    List<Slot> waitingB = List.of(slots.ask(pod("b", 9)), slots.ask(pod("b", 9)));
    List<Slot> waitingC = ask("c", 2);
    assertThat(begun(first) + begun(second)).isEqualTo(16);
    second.get(0).giveBack(); // a has 12, b has 3, c none
    assertThat(begun(waitingC)).isEqualTo(1);
    second.get(1).giveBack();
    assertThat(begun(waitingC)).isEqualTo(2);
    first.get(0).giveBack();
    assertThat(begun(waitingB)).as("b has 2, c has 2, and c waits for none").isEqualTo(1);
    first.get(1).giveBack();
    assertThat(begun(waitingB)).isEqualTo(2);
    first.get(2).giveBack();
    assertThat(waitingA).filteredOn(ExecSlots::hasBegun).containsExactly(waitingA.get(0));
  }

  @Test
  void heldSlotsOfLargerNamespaceAreTakenForAnother() {
    List<Slot> one = ask("hostile-1", 8);
    List<Slot> two = ask("hostile-2", 8);
    Slot honest = slots.ask(pod("shop", 0));
    assertThat(ExecSlots.hasBegun(honest)).isFalse();
    one.get(3).overdue();
    assertThat(ExecSlots.hasBegun(honest)).isTrue();
    assertThat(one.get(3).lost()).isDone();
    assertThat(lost(one) + lost(two)).isEqualTo(1);
    assertThat(slots.stats().displaced()).isEqualTo(1);
    assertThat(slots.stats().running()).isEqualTo(16);
  }

  @Test
  void heldSlotIsKeptWhileNobodyWaits() {
    List<Slot> hanging = ask("hostile", 12);
    hanging.forEach(Slot::overdue);
    assertThat(lost(hanging)).isZero();
    assertThat(ExecSlots.hasBegun(slots.ask(pod("shop", 0)))).isTrue();
    assertThat(lost(hanging)).as("there are free ones").isZero();
  }

  @Test
  void podsThatHangLoseSlotsToHonestPodOfTheirOwnNamespace() {
    List<Slot> hanging = ask("shop", 12);
    hanging.forEach(Slot::overdue);
    Slot honest = slots.ask(pod("shop", 99));
    assertThat(ExecSlots.hasBegun(honest)).isTrue();
    assertThat(hanging.getFirst().lost()).as("the one that has held its slot longest").isDone();
    assertThat(lost(hanging)).isEqualTo(1);
  }

  @Test
  void longCommandOfSmallNamespaceIsNotTakenForLargerOne() {
    Slot honest = slots.ask(pod("shop", 0));
    honest.overdue();
    ask("hostile-1", 12);
    List<Slot> hostile = ask("hostile-2", 12);
    assertThat(begun(hostile)).isEqualTo(3);
    assertThat(honest.lost()).isNotDone();
  }

  @Test
  void displacedCommandCountsForItsPodUntilItIsOver() {
    List<Slot> ended = new ArrayList<>();
    List<Slot> others = ask("other", 12);
    for (int i = 0; i < 4; i++) {
      ended.add(slots.ask(pod("hostile", 0)));
    }
    ended.forEach(Slot::overdue);
    for (int i = 0; i < 3; i++) {
      assertThat(ExecSlots.hasBegun(slots.ask(pod("shop-" + i, 0)))).isTrue();
    }
    assertThat(lost(ended)).isEqualTo(3);
    others.forEach(Slot::giveBack);
    Slot again = slots.ask(pod("hostile", 0));
    assertThat(ExecSlots.hasBegun(again)).as("it has four that may still run").isFalse();
    ended.getFirst().giveBack();
    assertThat(ExecSlots.hasBegun(again)).isTrue();
  }

  @Test
  void givingUpWhileWaitingLeavesNothingBehind() {
    List<Slot> running = ask("a", 12);
    Slot waits = slots.ask(pod("a", 50));
    waits.giveBack();
    waits.giveBack();
    running.getFirst().giveBack();
    assertThat(ExecSlots.hasBegun(waits)).isFalse();
    assertThat(slots.stats().waiting()).isZero();
    assertThat(slots.stats().running()).isEqualTo(11);
  }

  @Test
  void waitIsMeasured() {
    List<Slot> running = ask("a", 12);
    Slot waits = slots.ask(pod("a", 50));
    time.advance(Duration.ofSeconds(3));
    running.getFirst().giveBack();
    assertThat(ExecSlots.hasBegun(waits)).isTrue();
    assertThat(slots.stats().waited()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void smallLimitsStillRunCommands() {
    for (int limit = 1; limit <= 4; limit++) {
      ExecSlots few = new ExecSlots(limit, time);
      for (int i = 0; i < 20; i++) {
        few.ask(pod("hostile", i));
      }
      assertThat(few.stats().running()).as("of %d", limit).isEqualTo(Math.max(1, limit - 1));
      assertThat(ExecSlots.hasBegun(few.ask(pod("shop", 0)))).isEqualTo(limit > 1);
    }
  }
}
