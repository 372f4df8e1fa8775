package io.probelet.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SystemClock;
import io.probelet.health.dns.DnsType;
import io.probelet.probe.BodyPattern;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.Dns;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.TcpSocket.Step;
import io.probelet.probe.ProbeHandler.UdpSocket;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.service.ProbeService;
import io.probelet.probe.service.SocketNetwork;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** W-21: the probes before the first that counts. */
class WarmUpTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final SocketNetwork network = SocketNetwork.start(1, SystemClock.INSTANCE);
  private final ProbeService service =
      ProbeService.builder().network(network).runtime(new FakeRuntime()).start();

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  @DisplayName("W-21 each usual handler is probed four times, and no listener hears of it")
  void usual() {
    AtomicInteger heard = new AtomicInteger();
    service
        .engine()
        .addListener(
            new ProbeListener() {
              @Override
              public void probed(Probed probe) {
                heard.incrementAndGet();
              }
            });
    WarmUp warmUp = WarmUp.start(service, SystemClock.INSTANCE, MINUTE);
    warmUp.await();
    assertThat(warmUp.healthy()).isEqualTo(3 * 4);
    assertThat(heard).hasValue(0);
    assertThat(service.engine().waiting()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  @DisplayName("W-21 a probe of each kind is warmed up against a server of our own")
  void kind(String name, ProbeHandler handler, int trials) {
    WarmUp warmUp = WarmUp.carryOut(handler, service, SystemClock.INSTANCE, MINUTE);
    assertThat(warmUp.isComplete()).isTrue();
    assertThat(warmUp.healthy()).isEqualTo(trials * 4);
  }

  static Stream<Arguments> kinds() {
    Port.Numeric port = new Port.Numeric(1);
    Port.UnixSocket socket = new Port.UnixSocket("/run/app.sock");
    BodyRule.Matches rule = new BodyRule.Matches(BodyPattern.of("^220 .*"));
    List<Step> smtp =
        List.of(
            new Step.Expect(rule),
            new Step.Send("STARTTLS\r\n"),
            new Step.Expect(new BodyRule.Contains("220")),
            Step.STARTTLS);
    List<Step> redis =
        List.of(new Step.Send("PING\r\n"), new Step.Expect(new BodyRule.Contains("+PONG")));
    ProbeHandler dns =
        new Dns(port, "1.2.3.4", "a.", DnsType.MX, List.of("NXDOMAIN"), List.of("x"), false);
    return Stream.of(
        Arguments.of("http", new HttpGet(port, "/secret"), 1),
        Arguments.of("http by name", http(port, "db.example", Protocol.HTTP1, Scheme.HTTP), 1),
        Arguments.of("https", http(port, null, Protocol.HTTP1, Scheme.HTTPS), 1),
        Arguments.of("h2c", http(port, null, Protocol.HTTP2, Scheme.HTTP), 1),
        Arguments.of("ws", http(port, null, Protocol.WEBSOCKET, Scheme.HTTP), 1),
        Arguments.of("wss", http(port, null, Protocol.WEBSOCKET, Scheme.HTTPS), 1),
        Arguments.of("http on a socket", new HttpGet(socket, "/"), 1),
        Arguments.of("https on a socket", http(socket, null, Protocol.HTTP1, Scheme.HTTPS), 2),
        Arguments.of("tcp on a socket", new TcpSocket(socket, null), 1),
        Arguments.of("tcp", new TcpSocket(port, null), 1),
        Arguments.of("tls", new TcpSocket(port, null).with(TlsOptions.INSECURE), 1),
        Arguments.of("dialog", new TcpSocket(port, null, null, redis), 1),
        Arguments.of("dialog over TLS", new TcpSocket(port, null, TlsOptions.INSECURE, redis), 1),
        Arguments.of("starttls", new TcpSocket(port, null, TlsOptions.INSECURE, smtp), 2),
        Arguments.of("grpc", new Grpc(1, "my.Service", null), 1),
        Arguments.of("grpcs", new Grpc(1, "my.Service", TlsOptions.INSECURE), 1),
        Arguments.of("dns", dns, 1),
        Arguments.of(
            "dns by tcp", new Dns(port, null, "a", DnsType.A, List.of(), List.of(), true), 2),
        Arguments.of("udp", new UdpSocket(port, null, "secret", List.of()), 1),
        Arguments.of("allOf", new AllOf(List.of(dns, new TcpSocket(port, null))), 2),
        Arguments.of("exec", new Exec(List.of("rm")), 0));
  }

  private static HttpGet http(Port port, @Nullable String host, Protocol protocol, Scheme scheme) {
    return new HttpGet(
        port,
        host,
        "/secret",
        scheme,
        List.of(new HttpHeader("Authorization", "secret")),
        TlsOptions.INSECURE,
        HttpExpectation.KUBELET,
        Method.GET,
        protocol);
  }

  @Test
  @DisplayName("W-21 a warm-up that ran out of time is not complete")
  void incomplete() {
    WarmUp warmUp =
        WarmUp.carryOut(
            new TcpSocket(new Port.Numeric(1), null),
            service,
            SystemClock.INSTANCE,
            Duration.ofNanos(1));
    assertThat(warmUp.isComplete()).isFalse();
  }

  @Test
  @DisplayName("W-21 a loop without time for it keeps the first real probe back no longer than set")
  void bounded() {
    CountDownLatch busy = new CountDownLatch(1);
    network.loops().all().getFirst().eventLoop().execute(() -> awaitUninterruptibly(busy));
    try {
      WarmUp warmUp = WarmUp.start(service, SystemClock.INSTANCE, Duration.ofMillis(50));
      warmUp.await();
      assertThat(warmUp.healthy()).isZero();
    } finally {
      busy.countDown();
    }
  }

  @Test
  @DisplayName("W-21 a failed warm-up ends without effect")
  void impossible() {
    ProbeService ended = ProbeService.builder().runtime(new FakeRuntime()).start();
    ended.close();
    WarmUp warmUp = WarmUp.start(ended, SystemClock.INSTANCE, MINUTE);
    warmUp.await();
    assertThat(warmUp.healthy()).isZero();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }
}
