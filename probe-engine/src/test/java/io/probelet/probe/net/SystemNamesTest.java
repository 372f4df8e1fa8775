package io.probelet.probe.net;

import static io.probelet.probe.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Names that a stranger chose, and whose servers hang. */
class SystemNamesTest {
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final SystemNames names =
      new SystemNames(host -> {
        if (host.startsWith("hang")) {
          awaitRelease();
        }
        if (host.equals("bug")) {
          throw new StackOverflowError();
        }
        return new InetAddress[] {InetAddress.getLoopbackAddress()};
      });

  private void awaitRelease() {
    try {
      hanging.await();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @DisplayName(
      "names that hang hold a bounded number of threads; others are told, not kept waiting")
  void bounded() {
    List<CompletableFuture<List<InetAddress>>> hung = new ArrayList<>();
    for (int i = 0; i < SystemNames.MAX_THREADS; i++) {
      hung.add(names.resolve("hang-" + i));
    }
    assertThat(names.resolve("hang-0")).as("shared").isSameAs(hung.getFirst());
    assertThatThrownBy(names.resolve("other")::join)
        .hasCauseInstanceOf(RejectedExecutionException.class);
    hanging.countDown();
    hung.forEach(each -> assertThat(each.join()).hasSize(1));
    await().untilAsserted(() -> assertThat(names.resolve("other").join()).hasSize(1));
  }

  @Test
  @DisplayName("an Error in a lookup ends it, and the next one is made anew")
  void error() {
    assertThatThrownBy(names.resolve("bug")::join).hasCauseInstanceOf(StackOverflowError.class);
    assertThatThrownBy(names.resolve("bug")::join).hasCauseInstanceOf(StackOverflowError.class);
    hanging.countDown();
  }

  @Test
  @DisplayName("too many lookups are this machine's shortage, never the target's failure")
  void shortage() {
    Probing probing =
        new Probing(
            Transport.best(),
            _ -> CompletableFuture.failedFuture(new RejectedExecutionException()));
    try {
      assertThat(
              probing
                  .outcome(done ->
                      new TcpProber(probing.dialer())
                          .probe(
                              new TcpSocket(new Port.Numeric(1), "name.example"),
                              Probing.target(),
                              Probing.TIMEOUT,
                              done))
                  .verdict())
          .isEqualTo(
              new ProberError(
                  Reason.LOCAL_SHORTAGE,
                  "dial tcp: lookup name.example: too many names are being looked up"));
    } finally {
      probing.close();
    }
  }
}
