package io.probelet.probe.net;

import static io.probelet.probe.TestTimeout.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.net.NetLoop.Transport;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  @DisplayName("hanging names hold a limited number of threads; other names fail at once")
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.1",
        "127.0.1",
        "2130706433",
        "1",
        "0x7f.0.0.1",
        "0x7f000001",
        "0X7F.1",
        "0177.0.0.1",
        "127.0.0.1.",
        "127.000.0.1",
        "1.2.3.4.5",
        "999.1.1.1"
      })
  @DisplayName("H-6 numbers are no names, however the system's resolver reads them")
  void numbers(String host) {
    assertThatThrownBy(names.resolve(host)::join).hasCauseInstanceOf(UnknownHostException.class);
    assertThat(new Endpoint(host, 80).literal()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.1", "1-1", "0x7g", "x0", "1.a", "host1", "1_2"})
  @DisplayName("H-6 a name may begin or end with a number")
  void numbersInNames(String host) {
    assertThat(names.resolve(host).join()).hasSize(1);
  }

  @Test
  @DisplayName("an Error ends a lookup, and the next lookup runs again")
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
                  "dial tcp: lookup name.example: too many pending name lookups"));
    } finally {
      probing.close();
    }
  }
}
