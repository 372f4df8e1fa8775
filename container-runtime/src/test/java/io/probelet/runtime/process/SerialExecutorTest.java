package io.probelet.runtime.process;

import static io.probelet.runtime.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class SerialExecutorTest {
  private final SerialExecutor serial = new SerialExecutor("test");

  @Test
  void runsTasksInOrderAndNeverTwoAtOnce() throws Exception {
    List<Integer> order = new ArrayList<>(); // not safe for two threads, on purpose
    AtomicBoolean busy = new AtomicBoolean();
    AtomicBoolean overlapped = new AtomicBoolean();
    CountDownLatch done = new CountDownLatch(1000);
    for (int i = 0; i < 1000; i++) {
      int number = i;
      serial.execute(() -> {
        overlapped.compareAndSet(false, !busy.compareAndSet(false, true));
        order.add(number);
        busy.set(false);
        done.countDown();
      });
    }
    done.await();
    assertThat(overlapped).isFalse();
    assertThat(order).isEqualTo(IntStream.range(0, 1000).boxed().toList());
  }

  @Test
  void aTaskThatFailsDoesNotStopTheOthers() {
    AtomicBoolean ran = new AtomicBoolean();
    serial.execute(() -> {
      throw new IllegalStateException("expected by the test");
    });
    serial.execute(() -> ran.set(true));
    await().untilTrue(ran);
  }
}
