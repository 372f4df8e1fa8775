package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.health.SystemClock;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
  void classLoaded() throws Exception {
    byte[] code;
    try (InputStream file = NettyLoopTest.class.getResourceAsStream("Faults.class")) {
      code = file.readAllBytes();
    }
    LongSupplier preparation = loop.codePreparation();
    long before = preparation.getAsLong();
    // The same code once more: a class of its own may have been loaded by who searches for tests.
    assertThat(MethodHandles.lookup().defineHiddenClass(code, false)).isNotNull();
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

  @Test
  @DisplayName("a deadline does not wait for the end of a slot, on the loop or beside it")
  void deadlines() {
    CompletableFuture<Boolean> ran = new CompletableFuture<>();
    CompletableFuture<Boolean> onLoop = new CompletableFuture<>();
    loop.deadline(Duration.ofMillis(1), () -> ran.complete(eventLoop.inEventLoop()));
    loop.execute(() -> {
      loop.deadline(Duration.ofMillis(1), () -> onLoop.complete(false)).cancel();
      loop.deadline(Duration.ofMillis(1), () -> onLoop.complete(true));
    });
    assertThat(ran.join()).isTrue();
    assertThat(onLoop.join()).isTrue();
  }
}
