package io.probelet.remediator.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.remediator.order.OrderProgress.Acting;
import io.probelet.remediator.order.OrderProgress.Claimed;
import io.probelet.remediator.order.OrderProgress.Doubtful;
import io.probelet.remediator.order.OrderProgress.Ended;
import io.probelet.remediator.order.OrderProgress.Idle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Both halves of the handshake against each other, while everything goes wrong: answers are lost,
 * what is read is old, either end stops between any two steps, the node reboots by itself.
 */
final class OrderProtocolTest {
  private static final int GAMES = 20_000;
  private static final int TURNS = 60;
  private static final OrderPermissions ALL =
      new OrderPermissions(Set.of("kubelet.service"), true, false, false);

  /** One remediation's order, and everything that may happen to it. */
  private static final class Game {
    private final Random random;
    private final OrderWatch watch;
    private final double faults;

    // The API server.
    private Optional<NodeOrder> order = Optional.empty();
    private int version;
    private boolean placed;
    private String outcome = "";
    private long placedAt;

    // What was true some time ago, for those who read of it late.
    private final List<Optional<NodeOrder>> history = new ArrayList<>(List.of(Optional.empty()));

    // The node.
    private int boot = 1;
    private OrderProgress progress = new Idle();
    private long claimedAt;
    private long now;
    private final List<String> done = new ArrayList<>();

    Game(long seed, double faults) {
      random = new Random(seed);
      this.faults = faults;
      OrderAction action = random.nextBoolean() ? Orders.RESTART : Orders.REBOOT;
      OrderSpec spec =
          new OrderSpec(action, "boot-1", Duration.ofMinutes(1), "", Orders.OWNER, false);
      watch =
          new OrderWatch(
              NodeOrder.draft("probelet-system", "worker-1", spec),
              Duration.ofMinutes(1),
              spec.timeout());
    }

    void play() {
      for (int turn = 0; turn < TURNS; turn++) {
        now += random.nextInt(fault() ? 100 : 3);
        switch (random.nextInt(10)) {
          case 0, 1, 2, 3 -> controller();
          case 4, 5, 6, 7 -> agent();
          case 8 -> finishAct();
          default -> accident();
        }
        check();
      }
    }

    private boolean fault() {
      return random.nextDouble() < faults;
    }

    private Optional<NodeOrder> read() {
      int back = fault() ? random.nextInt(Math.min(4, history.size())) : 0;
      return history.get(history.size() - 1 - back);
    }

    private void write(Optional<NodeOrder> next) {
      order = next;
      history.add(next);
    }

    /** {@return whether the write is made at all} */
    private boolean writable(NodeOrder read) {
      return order.isPresent()
          && order.get().uid().equals(read.uid())
          && order.get().version().equals(read.version());
    }

    private NodeOrder with(NodeOrder before, boolean granted, OrderStatus status) {
      OrderSpec spec = before.spec();
      return new NodeOrder(
          before.namespace(),
          before.node(),
          before.uid(),
          "v" + ++version,
          false,
          new OrderSpec(
              spec.action(), spec.bootId(), spec.timeout(), spec.reason(), spec.owner(), granted),
          status);
    }

    private void controller() {
      if (!outcome.isEmpty()) {
        return;
      }
      switch (watch.next(read(), placed, Duration.ofSeconds(now - placedAt))) {
        case OrderStep.Create(NodeOrder draft) -> {
          if (order.isEmpty()) {
            version++;
            write(
                Optional.of(
                    new NodeOrder(
                        draft.namespace(),
                        draft.node(),
                        "uid" + version,
                        "v" + version,
                        false,
                        draft.spec(),
                        OrderStatus.NONE)));
          }
        }
        case OrderStep.Place() -> {
          placed = true;
          placedAt = now;
        }
        case OrderStep.Await _ -> {}
        case OrderStep.Grant(NodeOrder read) -> {
          if (writable(read)) {
            write(Optional.of(with(read, true, read.status())));
          }
        }
        case OrderStep.Clear(NodeOrder read, String _) -> withdraw(read);
        case OrderStep.Withdraw(NodeOrder read, String why) -> {
          if (withdraw(read) && !fault()) { // or it ends before it has written what came of it
            outcome = "Failed: " + why;
          }
        }
        case OrderStep.Done(OrderStatus status) -> outcome = "Done: " + status.message();
        case OrderStep.Failed(String why) -> outcome = "Failed: " + why;
      }
    }

    private boolean withdraw(NodeOrder read) {
      if (writable(read)) {
        write(Optional.empty());
        return true;
      }
      return order.isEmpty();
    }

    private OrderProgress progressNow() {
      Duration ago = Duration.ofSeconds(now - claimedAt);
      return switch (progress) {
        case Claimed(String uid, Duration _) -> new Claimed(uid, ago);
        case Doubtful(String uid, Duration _) -> new Doubtful(uid, ago);
        case OrderProgress other -> other;
      };
    }

    private void agent() {
      NodeOrder read = read().orElse(null);
      if (read == null) {
        return;
      }
      String uid = read.uid();
      switch (new OrderRules("worker-1", "boot-" + boot).next(read, ALL, progressNow())) {
        case AgentStep.Nothing _ -> {}
        case AgentStep.Claim(OrderStatus status) -> {
          if (say(read, status)) {
            progress = new Claimed(uid, Duration.ZERO);
            claimedAt = now;
          }
        }
        case AgentStep.Start(OrderStatus status) -> {
          boolean same = writable(read);
          if (say(read, status)) {
            progress = new Acting(uid);
            act(read);
          } else if (!same) {
            // refused: it is as it was
          } else {
            progress = new Doubtful(uid, Duration.ZERO);
          }
        }
        case AgentStep.Finish(OrderStatus status) -> {
          if (say(read, status) && progress instanceof Ended) {
            progress = new Idle();
          }
        }
      }
    }

    /** {@return whether the agent learns that it was written} */
    private boolean say(NodeOrder read, OrderStatus status) {
      if (!writable(read) || fault()) {
        return false;
      }
      write(Optional.of(with(read, read.spec().granted(), status)));
      return !fault();
    }

    private void act(NodeOrder read) {
      done.add(read.uid());
      assertThat(read.spec().granted()).as("granted").isTrue();
      assertThat(order).as("in force").isPresent();
      assertThat(order.get().uid()).isEqualTo(read.uid());
      assertThat(order.get().spec().bootId()).isEqualTo("boot-" + boot);
      assertThat(placed).as("written down before").isTrue();
    }

    private void finishAct() {
      if (progress instanceof Acting(String uid)) {
        if (watch.wanted().spec().action().equals(Orders.REBOOT)) {
          reboot();
        } else {
          progress = new Ended(uid, new OrderStatus(OrderPhase.DONE, "boot-" + boot, "restarted"));
        }
      }
    }

    private void reboot() {
      boot++;
      progress = new Idle();
    }

    private void accident() {
      if (!fault()) {
        return;
      }
      switch (random.nextInt(4)) {
        case 0, 1 -> progress = new Idle(); // the agent is restarted
        case 2 -> reboot();
        default -> write(Optional.empty()); // a human deletes the order
      }
    }

    private void check() {
      assertThat(done).as("times it was done").hasSizeLessThanOrEqualTo(1);
      boolean rebooted = boot > 1 && watch.wanted().spec().action().equals(Orders.REBOOT);
      if (outcome.startsWith("Done") && !rebooted) {
        assertThat(done).as("what is said to be done").hasSize(1);
      }
    }
  }

  @Test
  @DisplayName(
      "ACT-33, ACT-34, ACT-35, ACT-37: never twice, never after a reboot, never without a grant")
  void neverTwice() {
    int[] done = new int[1];
    IntStream.range(0, GAMES)
        .forEach(seed -> {
          Game game = new Game(seed, 0.2);
          game.play();
          done[0] += game.done.size();
        });
    assertThat(done[0]).as("games in which it was done all the same").isGreaterThan(GAMES / 20);
  }

  @Test
  @DisplayName("Where nothing goes wrong, it is done once and the remediation knows it")
  void done() {
    for (int seed = 0; seed < 200; seed++) {
      Game game = new Game(seed, 0);
      game.play();
      game.play();
      assertThat(game.done).as("game %d", seed).hasSize(1);
      assertThat(game.outcome).startsWith("Done");
    }
  }
}
