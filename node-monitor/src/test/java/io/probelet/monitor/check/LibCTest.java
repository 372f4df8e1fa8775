package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.probelet.monitor.check.Kernel.Room;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibCTest {
  @TempDir Path dir;

  @Test
  @DisplayName("B-9 statvfs agrees with Java's disk usage, and counts inodes")
  void room() throws Exception {
    Room room = new LibC().room(dir);
    FileStore store = Files.getFileStore(dir);
    assertThat(room.blocks()).isEqualTo(store.getTotalSpace() / store.getBlockSize());
    await() // as others may write between two looks
        .untilAsserted(() ->
            assertThat((double) new LibC().room(dir).availableBlocks() * store.getBlockSize())
                .isCloseTo((double) store.getUsableSpace(), within(store.getTotalSpace() * 0.01)));
    assertThat((double) room.usedBytes())
        .isCloseTo(
            (double) (store.getTotalSpace() - store.getUnallocatedSpace()),
            within(store.getTotalSpace() * 0.01));
    assertThat(room.availableBlocks()).isLessThanOrEqualTo(room.freeBlocks());
    assertThat(room.freeInodes()).isLessThanOrEqualTo(room.inodes());
    assertThatThrownBy(() -> new LibC().room(dir.resolve("gone")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  @DisplayName("A-3 the kernel's clock never exceeds the uptime, which includes suspensions")
  void awake() throws Exception {
    Duration before = new LibC().awake();
    double uptime = Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0]);
    assertThat(before).isPositive();
    assertThat(before.toMillis()).isLessThanOrEqualTo((long) (uptime * 1000) + 1000);
    assertThat(new LibC().awake()).isGreaterThanOrEqualTo(before);
  }

  @Test
  @DisplayName("B-9 adjtimex is called read-only")
  void clock() throws Exception {
    assertThat(new LibC().clock().offset()).isBetween(Duration.ZERO, Duration.ofSeconds(1));
  }
}
