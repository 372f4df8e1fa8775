package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.health.SystemClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Timers on a real event loop. */
class NettyLoopTest {
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoop eventLoop = group.next();
  private final NettyLoop loop = new NettyLoop(eventLoop, SystemClock.INSTANCE);

  @AfterEach
  void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 3999999",
    "3999999, 1",
    "4000000, 0",
    "4000001, 3999999",
    "-1, 1",
    "-4000000, 0"
  })
  @DisplayName("what falls due in a slot waits for its end")
  void slots(long due, long wait) {
    assertThat(NettyLoop.untilSlotEnds(due)).isEqualTo(wait);
  }

  @Test
  @DisplayName("a task never runs early, and runs on the loop")
  void neverEarly() {
    long start = SystemClock.INSTANCE.nanoTime();
    CompletableFuture<Boolean> ran = new CompletableFuture<>();
    Duration delay = Duration.ofMillis(30);
    loop.schedule(delay.toNanos(), () -> ran.complete(eventLoop.inEventLoop()));
    assertThat(ran.join()).isTrue();
    assertThat(SystemClock.INSTANCE.nanoTime() - start).isGreaterThanOrEqualTo(delay.toNanos());
  }

  @Test
  @DisplayName("W-21 a class that is loaded is seen")
  void classLoaded() {
    record New() {}
    LongSupplier preparation = loop.codePreparation();
    long before = preparation.getAsLong();
    assertThat(new New()).isNotNull();
    assertThat(preparation.getAsLong()).isGreaterThan(before);
  }

  @Test
  @DisplayName("a cancelled task does not run")
  void cancelled() {
    CompletableFuture<String> ran = new CompletableFuture<>();
    // On the loop, which can run nothing between scheduling and cancelling.
    loop.execute(() -> {
      loop.schedule(0, () -> ran.complete("first")).cancel();
      loop.schedule(Duration.ofMillis(20).toNanos(), () -> ran.complete("second"));
    });
    assertThat(ran.join()).isEqualTo("second");
  }
}
