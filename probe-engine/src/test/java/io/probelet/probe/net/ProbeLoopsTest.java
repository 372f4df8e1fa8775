package io.probelet.probe.net;

import static io.probelet.probe.TestTimeout.await;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ProbeLoopsTest {
  @Test
  @EnabledOnOs(OS.LINUX)
  @DisplayName("a loop that has nothing to do does not wake up")
  void asleep() throws Exception {
    try (ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE)) {
      Path thread =
          loops
              .all()
              .getFirst()
              .eventLoop()
              .submit(() -> Path.of("/proc/thread-self").toRealPath())
              .get();
      AtomicReference<String> before = new AtomicReference<>("");
      await()
          .during(Duration.ofMillis(2200))
          .until(() -> {
            String now = switches(thread);
            return before.getAndSet(now).equals(now);
          });
    }
  }

  private static String switches(Path thread) throws IOException {
    return Files.readAllLines(thread.resolve("status")).stream()
        .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
        .findFirst()
        .orElseThrow();
  }
}
