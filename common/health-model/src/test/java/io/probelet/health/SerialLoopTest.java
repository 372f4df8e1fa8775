package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop on its own thread; tests of time alone are in {@link VirtualTimeTest}. */
@Timeout(60)
class SerialLoopTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final SerialLoop loop = SerialLoop.start(Threads.MACHINE, "letters", 3, failures::add);

  @AfterEach
  void close() {
    loop.close();
  }

  @Test
  @DisplayName("a daemon thread with its name runs its tasks in order")
  void thread() {
    Thread thread = CompletableFuture.supplyAsync(Thread::currentThread, loop).join();
    assertThat(thread.getName()).isEqualTo("letters");
    assertThat(thread.isDaemon()).isTrue();
    assertThat(CompletableFuture.supplyAsync(Thread::currentThread, loop).join()).isSameAs(thread);
  }

  @Test
  @DisplayName("only its own tasks count as inside the loop")
  void own() {
    assertThat(CompletableFuture.supplyAsync(loop::inLoop, loop).join()).isTrue();
    assertThat(loop.inLoop()).isFalse();
    CompletableFuture.runAsync(loop::requireInLoop, loop).join();
    assertThatThrownBy(loop::requireInLoop)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching("called on thread \".+\", must be called on loop \"letters\"");
  }

  @Test
  @DisplayName("exceptions and errors of a task are reported, and the next task runs")
  void failures() {
    loop.execute(() -> {
      throw new IllegalStateException("one");
    });
    loop.execute(() -> {
      throw new NoClassDefFoundError("two");
    });
    CompletableFuture.runAsync(() -> {}, loop).join();
    assertThat(failures).extracting(Throwable::getMessage).containsExactly("one", "two");
  }

  @Test
  @DisplayName("a failing handler does not end the loop")
  void failingHandler() {
    try (SerialLoop other =
        SerialLoop.start(
            Threads.MACHINE,
            "other",
            2,
            failure -> {
              throw new IllegalArgumentException(failure);
            })) {
      other.execute(() -> {
        throw new IllegalStateException("one");
      });
      CompletableFuture.runAsync(() -> {}, other).join();
    }
  }

  @Test
  @DisplayName("an interrupt left by a task does not affect the next one")
  void strayInterrupt() {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    loop.execute(() -> {
      loop.execute(() -> interrupted.complete(Thread.currentThread().isInterrupted()));
      Thread.currentThread().interrupt();
    });
    assertThat(interrupted.join()).isFalse();
  }

  @Test
  @DisplayName("tasks beyond the limit are rejected and counted, alarms are not")
  void bound() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    hold(go);
    for (int i = 0; i < 3; i++) {
      loop.after(Duration.ZERO, () -> {});
      assertThat(loop.offer(() -> {})).isTrue();
    }
    assertThat(loop.waiting()).isEqualTo(3);
    assertThat(loop.offer(() -> {})).isFalse();
    assertThatThrownBy(() -> loop.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessage("queue of loop \"letters\" is full: 3 tasks are waiting");
    assertThat(loop.refused()).isEqualTo(2);
    go.countDown();
    Awaitility.await().until(() -> loop.waiting() == 0);
    assertThat(loop.offer(() -> {})).isTrue();
    assertThatThrownBy(() -> SerialLoop.start(Threads.MACHINE, "none", 0, failures::add))
        .hasMessage("maxWaiting must be at least 1, not 0");
  }

  @Test
  @DisplayName("the sender of a flood blocks until there is room, or the loop is closed")
  void room() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    hold(go);
    List<Integer> run = new CopyOnWriteArrayList<>();
    CompletableFuture<Boolean> all = CompletableFuture.supplyAsync(() -> put(run, 9));
    Awaitility.await().until(() -> loop.waiting() == 3);
    assertThat(all).isNotDone();
    go.countDown();
    assertThat(all.join()).isTrue();
    Awaitility.await().until(() -> run.size() == 9);
    assertThat(run).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(loop.refused()).isZero();

    hold(new CountDownLatch(1));
    CompletableFuture<Boolean> more = CompletableFuture.supplyAsync(() -> put(run, 4));
    Awaitility.await().until(() -> loop.waiting() == 3);
    loop.close();
    assertThat(more.join()).isFalse();
    assertThat(run).hasSize(9);
  }

  @Test
  @DisplayName("a flood leaves the reserved room")
  void reservedRoom() throws Exception {
    try (SerialLoop shared = SerialLoop.start(Threads.MACHINE, "shared", 5, 2, failures::add)) {
      CountDownLatch go = new CountDownLatch(1);
      hold(shared, go);
      List<Integer> run = new CopyOnWriteArrayList<>();
      CompletableFuture<Boolean> all = CompletableFuture.supplyAsync(() -> put(shared, run, 9));
      Awaitility.await().until(() -> shared.waiting() == 3);
      assertThat(shared.offer(() -> {})).isTrue();
      assertThat(shared.offer(() -> {})).isTrue();
      assertThat(shared.offer(() -> {})).isFalse();
      assertThat(all).isNotDone();
      go.countDown();
      assertThat(all.join()).isTrue();
      Awaitility.await().until(() -> run.size() == 9);
    }
  }

  private boolean put(List<Integer> run, int count) {
    return put(loop, run, count);
  }

  private static boolean put(SerialLoop loop, List<Integer> run, int count) {
    boolean last = false;
    for (int i = 0; i < count; i++) {
      int number = i;
      try {
        last = loop.put(() -> run.add(number));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return last;
  }

  @Test
  @DisplayName("a task of the loop must not wait for room, which would deadlock")
  void roomForItself() {
    CompletableFuture<Boolean> own =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return loop.put(() -> {});
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            loop);
    assertThatThrownBy(own::join).hasMessageContaining("\"letters\" itself, which would deadlock");
  }

  @Test
  @DisplayName("an alarm runs although the loop waits for a later one")
  void earlier() {
    CountDownLatch rung = new CountDownLatch(1);
    Alarm late = loop.after(LONG, () -> {});
    loop.after(Duration.ofMillis(10), rung::countDown);
    Awaitility.await().until(() -> rung.getCount() == 0);
    assertThat(late.isSet()).isTrue();
  }

  @Test
  @DisplayName("close interrupts the running task, drops waiting ones and rejects new ones")
  void closes() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Thread held = hold(never);
    List<String> run = new CopyOnWriteArrayList<>();
    loop.execute(() -> run.add("a task"));
    Alarm alarm = loop.after(Duration.ZERO, () -> run.add("an alarm"));
    assertThat(loop.awaitEnd(Duration.ofMillis(1))).isFalse();
    loop.close();
    assertThat(loop.awaitEnd(LONG)).isTrue();
    held.join();
    alarm.set(Duration.ZERO);
    assertThat(alarm.isSet()).isFalse();
    assertThat(loop.isClosed()).isTrue();
    assertThat(loop.offer(() -> {})).isFalse();
    assertThat(loop.refused()).as("because it was full").isZero();
    assertThatThrownBy(() -> loop.execute(() -> {})).hasMessage("loop \"letters\" is closed");
    assertThat(run).isEmpty();
  }

  @Test
  @DisplayName("a task may close its loop: it is not interrupted and does not deadlock")
  void closesItself() {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    loop.execute(() -> {
      loop.close();
      loop.awaitEnd(LONG);
      loop.finish(LONG);
      interrupted.complete(Thread.currentThread().isInterrupted());
    });
    assertThat(interrupted.join()).isFalse();
    assertThat(loop.awaitEnd(LONG)).isTrue();
  }

  @Test
  @DisplayName("finish runs waiting tasks and those they add; others are rejected")
  void finishes() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    hold(go);
    List<String> run = new CopyOnWriteArrayList<>();
    loop.execute(() -> {
      run.add("first");
      loop.execute(() -> run.add("last"));
    });
    loop.execute(() -> run.add("second"));
    Alarm alarm = loop.after(Duration.ZERO, () -> run.add("an alarm"));
    CompletableFuture<Boolean> done = CompletableFuture.supplyAsync(() -> loop.finish(LONG));
    Awaitility.await().until(loop::isClosed);
    assertThat(alarm.isSet()).isFalse();
    assertThat(loop.offer(() -> run.add("a stranger's"))).isFalse();
    go.countDown();
    assertThat(done.join()).isTrue();
    assertThat(run).containsExactly("first", "second", "last");
  }

  @Test
  @DisplayName("tasks not finished in time are dropped")
  void late() throws Exception {
    Thread held = hold(new CountDownLatch(1));
    List<String> run = new CopyOnWriteArrayList<>();
    loop.execute(() -> run.add("a task"));
    assertThat(loop.finish(Duration.ofMillis(1))).isFalse();
    held.join();
    assertThat(run).isEmpty();
  }

  @Test
  @DisplayName("an interrupted waiter stays interrupted")
  void interruptedWaiter() {
    Thread.currentThread().interrupt();
    assertThat(loop.awaitEnd(LONG)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  @DisplayName("loops may use virtual threads")
  void virtual() {
    try (SerialLoop other = SerialLoop.startVirtual(Threads.MACHINE, "pod", 1, failures::add)) {
      Thread thread = CompletableFuture.supplyAsync(Thread::currentThread, other).join();
      assertThat(thread.isVirtual()).isTrue();
      assertThat(thread.getName()).isEqualTo("pod");
    }
  }

  /** Keeps the loop busy; {@return its thread, once it is busy} */
  private Thread hold(CountDownLatch until) throws InterruptedException {
    return hold(loop, until);
  }

  private static Thread hold(SerialLoop loop, CountDownLatch until) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicReference<Thread> thread = new AtomicReference<>();
    loop.execute(() -> {
      thread.set(Thread.currentThread());
      begun.countDown();
      try {
        until.await();
      } catch (InterruptedException closed) {
        // as intended
      }
    });
    begun.await();
    return thread.get();
  }
}
